// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.FreePorts;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The commands at a real ResourceManager whose pages ask for a login, as {@code docs/security.md} sets them
 * up: for Kerberos, with and without the ticket that {@code kinit} gets from a real key distribution
 * center, or for a name alone.
 */
@Tag("slow")
class LoginProcessIT {

  private static final Path FOLDER =
      Path.of(System.getProperty("processes.folder")).resolve("login").toAbsolutePath();
  private static final String REALM = "EXAMPLE.COM";

  private final Path tickets = FOLDER.resolve("tickets");
  private SimpleKdcServer center;

  @BeforeEach
  void emptyFolder() throws IOException {
    FileUtils.deleteDirectory(FOLDER.toFile());
    Files.createDirectories(tickets);
  }

  @Test
  void commandsSayTheNameOfTheirUser() throws Exception {
    Map<String, String> pages = forAdministrator(System.getProperty("user.name"));
    pages.put("hadoop.http.authentication.type", "simple");
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("cluster"), pages)) {
      String rm = launch(cluster, List.of());
      assertAnswers(cluster, rm, FOLDER);
    }
  }

  @Test
  void commandsLogInWithTheTicketOfTheirUser() throws Exception {
    center = new SimpleKdcServer();
    center.setWorkDir(tickets.toFile());
    center.setKdcRealm(REALM);
    center.setKdcHost("localhost");
    center.setKdcTcpPort(FreePorts.next());
    center.setAllowUdp(false);
    center.init();
    center.start();
    try (ProcessCluster cluster = new ProcessCluster(FOLDER.resolve("cluster"), pages())) {
      String rm = launch(cluster, kerberos());
      assertAnswers(cluster, rm, ticketOf("operator"));

      Map.Entry<Integer, String> without = status(cluster, rm, tickets.resolve("nobody"));
      assertThat(without.getValue()).contains("Not logged in: " + rm + " asks for Kerberos, and there is no"
          + " valid ticket (kinit, klist): ");
      assertThat(without.getKey()).isEqualTo(4);

      Map.Entry<Integer, String> other = status(cluster, rm, ticketOf("alice"));
      assertThat(other.getValue()).as("one who is no administrator")
          .contains("Not allowed: " + rm + "/jmx", "only administrators may read /jmx");
      assertThat(other.getKey()).isEqualTo(4);
    } finally {
      center.stop();
    }
  }

  /** Returns once the ResourceManager asks for a login. */
  private static String launch(ProcessCluster cluster, List<String> options) throws Exception {
    Process process = cluster.launchResourceManager(options);
    // The service's principal has the name of the host that the address has.
    String rm = "http://localhost:" + cluster.rest().address().replaceFirst(".*:", "");
    Eventually.is("it asks for a login", () -> process.isAlive()
        && statusOf(rm + "/jmx") == HttpURLConnection.HTTP_UNAUTHORIZED);
    return rm;
  }

  private void assertAnswers(ProcessCluster cluster, String rm, Path ticket) throws Exception {
    int notReady = 3;
    Eventually.is("it is active", () -> status(cluster, rm, ticket).getKey() != notReady);
    Map.Entry<Integer, String> answer = status(cluster, rm, ticket);
    assertThat(answer.getValue()).contains("it has Dripfeed's policy, and no application yet");
    assertThat(answer.getKey()).isZero();
  }

  private Map<String, String> pages() throws Exception {
    Path keytab = tickets.resolve("http.keytab");
    center.createPrincipals("HTTP/localhost");
    center.exportPrincipal("HTTP/localhost", keytab.toFile());
    Map<String, String> pages = forAdministrator("operator");
    pages.put("hadoop.http.authentication.type", "kerberos");
    pages.put("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@" + REALM);
    pages.put("hadoop.http.authentication.kerberos.keytab", keytab.toString());
    return pages;
  }

  /** The pages believe nobody without a login, and {@code /jmx} is for the administrator. */
  private static Map<String, String> forAdministrator(String name) {
    return new HashMap<>(Map.of(
        "hadoop.http.filter.initializers", "org.apache.hadoop.security.AuthenticationFilterInitializer",
        "hadoop.http.authentication.simple.anonymous.allowed", "false",
        "hadoop.security.authorization", "true",
        "hadoop.security.instrumentation.requires.admin", "true",
        "yarn.admin.acl", name));
  }

  private List<String> kerberos() {
    return List.of("-Djava.security.krb5.conf=" + tickets.resolve("krb5.conf"));
  }

  /** What {@code kinit} does: a ticket in a file. */
  private Path ticketOf(String user) throws Exception {
    File keytab = tickets.resolve(user + ".keytab").toFile();
    center.createPrincipals(user);
    center.exportPrincipal(user, keytab);
    Path ticket = tickets.resolve(user);
    KrbClient client = center.getKrbClient();
    client.storeTicket(client.requestTgt(user + "@" + REALM, keytab), ticket.toFile());
    return ticket;
  }

  private Map.Entry<Integer, String> status(ProcessCluster cluster, String rm, Path ticket)
      throws Exception {
    return cluster.run(Map.of("KRB5CCNAME", ticket.toString()), kerberos(),
        Installation.COMMANDS, "status", "--rm", rm);
  }

  private static int statusOf(String url) {
    try {
      return ((HttpURLConnection) URI.create(url).toURL().openConnection()).getResponseCode();
    } catch (IOException e) {
      return -1;
    }
  }
}
