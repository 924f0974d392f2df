// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a call takes from its surroundings: the addresses of yarn-site.xml, a reader
 * who goes away, and answers that are none.
 */
class CommandCallTest {

  private static final String RM = "yarn.resourcemanager.";

  private static Configuration site(String... namesAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      conf.set(namesAndValues[i], namesAndValues[i + 1]);
    }
    return conf;
  }

  @Test
  void yarnSiteNamesBothOfAPair() throws Exception {
    Configuration pair = site(RM + "ha.enabled", "true", RM + "ha.rm-ids", "rm1, rm2",
        RM + "webapp.address.rm1", "one:9088", RM + "hostname.rm2", "two",
        RM + "webapp.https.address.rm1", "one:9090");
    assertThat(ResourceManagers.find(null, pair)).hasToString("[http://one:9088, http://two:8088]");
    pair.set("yarn.http.policy", "HTTPS_ONLY");
    assertThat(ResourceManagers.find(null, pair)).hasToString("[https://one:9090, https://two:8090]");
    assertThat(ResourceManagers.find("three", pair)).as("what the call says comes first")
        .hasToString("[http://three:8088]");
    assertThat(ResourceManagers.find("HTTP://three:9088", pair)).hasToString("[http://three:9088]");
  }

  @Test
  void yarnSiteNamesASingleOne() throws Exception {
    assertThat(ResourceManagers.find(null, site(RM + "hostname", "one"))).hasToString("[http://one:8088]");
    assertThat(ResourceManagers.find(null, site(RM + "hostname", "one", RM + "webapp.address", "web:80")))
        .hasToString("[http://web:80]");
    assertThatThrownBy(() -> ResourceManagers.find(null, site())).isInstanceOf(Problem.class)
        .hasMessageContaining("Add --rm");
  }

  @Test
  void watchShowsItAgainUntilNobodyReads() throws Exception {
    assertThat(watched(false, "--json").trim().split("\n")).as("a line each").hasSize(2)
        .allMatch(line -> line.startsWith("{\"exitCode\":0"));
  }

  @Test
  void watchOnATerminalShowsWhatFitsOverTheOneBefore() throws Exception {
    String[] pictures = watched(true, "--all").split("\u001b\\[H\u001b\\[2J");
    assertThat(pictures).as("the second one is as wide as the terminal is by then").hasSize(3);
    assertThat(pictures[0]).isEmpty();
    assertThat(pictures[1]).hasLineCount(23).endsWith("\n... 1 more line; all of them without --watch\n");
  }

  /** What a narrow terminal gets of two rounds; then it is closed. */
  private static String watched(boolean live, String option) throws Exception {
    try (FakeResourceManager rm = new FakeResourceManager().busy()) {
      StringBuilder shown = new StringBuilder();
      PrintStream out = new PrintStream(new OutputStream() {
        @Override
        public void write(int each) throws IOException {
          if (rm.asked.stream().filter(path -> path.startsWith("/jmx")).count() > 2) {
            throw new IOException("closed");
          }
          shown.append((char) each);
        }
      }, true);
      String[] call = {"status", "--watch", "--interval", "1", option, "--rm", rm.url()};
      assertThat(Commands.run(call, new Terminal(out, out, live, false, false, 40))).isZero();
      return shown.toString();
    }
  }

  @Test
  void watchTellsAFailureOnOneLineToo() throws Exception {
    String gone;
    try (FakeResourceManager rm = new FakeResourceManager()) {
      gone = rm.url();
    }
    Output refused = Output.of("status", "--watch", "--json", "--rm", gone);
    assertThat(refused.exitCode()).isEqualTo(Problem.UNREACHABLE);
    assertThat(refused.out().trim()).hasLineCount(1).startsWith("{\"exitCode\":3,\"errors\":[\"");
  }

  /** Its help says: on one line, whatever the outcome. */
  @ParameterizedTest
  @ValueSource(strings = {"view --json --rm ftp://x", "view --json --port http", "view --json --colour"})
  void viewTellsEveryOutcomeOnOneLine(String call) {
    assertThat(Output.of(call.split(" ")).out().trim()).hasLineCount(1).startsWith("{\"exitCode\":");
  }

  /** The progress line is for a terminal alone. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(30)
  void whoWaitsSeesWhatIsAsked(boolean errorsLive) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      Output output = Output.onTerminal(errorsLive, "status", "--timeout", "2", "--rm", address);
      assertThat(output.exitCode()).isEqualTo(Problem.UNREACHABLE);
      String line = "\rAsking http://" + address + " ... 1 s";
      assertThat(output.err().contains(line)).as(output.err()).isEqualTo(errorsLive);
      assertThat(output.out()).isEmpty();
    }
  }

  @Test
  void convertedQueueIsNotUnderDripfeed() throws Exception {
    try (FakeResourceManager rm = new FakeResourceManager().busy()) {
      rm.applications.put(FakeResourceManager.id(1), "{\"queue\":\"default\",\"state\":\"ACCEPTED\","
          + "\"diagnostics\":\"[x] Held by StateAwareOrderingPolicy\"}");
      Output converted = Output.of("explain", FakeResourceManager.id(1), "--rm", rm.url());
      assertThat(converted.exitCode()).isEqualTo(Problem.NOT_FOUND);
      assertThat(converted.out()).contains("ACCEPTED in default, a queue without Dripfeed",
          "why      [x]", "so far");
    }
  }

  @Test
  void applicationOfWhichNothingIsSaidIsNoAnswer() throws Exception {
    try (FakeResourceManager rm = new FakeResourceManager().busy()) {
      rm.applications.put(FakeResourceManager.id(99), "null");
      Output nothing = Output.of("explain", FakeResourceManager.id(99), "--rm", rm.url());
      assertThat(nothing.exitCode()).as(nothing.out()).isEqualTo(Problem.NO_DRIPFEED);
      assertThat(nothing.err()).contains("it says nothing of " + FakeResourceManager.id(99));
    }
  }

  @Test
  void standbyWithARelativeLocationKnowsNoActiveOne() throws Exception {
    try (FakeResourceManager rm = new FakeResourceManager()) {
      rm.haState = "STANDBY";
      rm.active = "";
      Output standby = Output.of("status", "--rm", rm.url());
      assertThat(standby.exitCode()).isEqualTo(Problem.UNREACHABLE);
      assertThat(standby.err()).contains("is on standby, and knows no active one");
    }
  }

  /** In its headers, in its body, and in the length of a part of that. */
  @ParameterizedTest
  @ValueSource(strings = {"X: ", "\r\n", "Transfer-Encoding: chunked\r\n\r\n1;"})
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void answerWithoutEndIsGivenUp(String begin) throws Exception {
    try (TricklingServer server = new TricklingServer("HTTP/1.1 200 OK\r\n" + begin)) {
      assertGivesUp(server);
      if (!begin.startsWith("Transfer")) {
        // Java's reader of parts lets nobody else close it.
        Eventually.is("nobody listens any more", server::isLeft);
      }
    }
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void loginWithoutEndIsGivenUp() throws Exception {
    String login = "HTTP/1.1 401 Who?\r\nWWW-Authenticate: PseudoAuth\r\nContent-Length: 0\r\n"
        + "Connection: close\r\n\r\n";
    try (TricklingServer server = new TricklingServer(login, "HTTP/1.1 200 OK\r\nX: ")) {
      assertGivesUp(server);
      Eventually.is("nobody listens any more", server::isLeft);
    }
  }

  private static void assertGivesUp(TricklingServer server) {
    Output output = Output.of("status", "--timeout", "1", "--rm", server.address());
    assertThat(output.exitCode()).as(output.err()).isEqualTo(Problem.UNREACHABLE);
    assertThat(output.err()).contains("No whole answer from", "within 3 s, 3 times the limit (--timeout)");
  }
}
