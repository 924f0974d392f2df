// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that cannot be read, must not be read, or are hostile; and the command's own outcomes. */
class SafeXmlTest extends CheckFixture {

  private static final String QUEUES = "<property><name>yarn.scheduler.capacity.root.queues</name>"
      + "<value>a</value></property><property><name>yarn.scheduler.capacity.root.a.capacity</name>"
      + "<value>100</value></property>";

  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;
  private String address;

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      requests.incrementAndGet();
      byte[] answer = exchange.getRequestURI().getPath().endsWith(".dtd") ? new byte[0]
          : ("<configuration>" + QUEUES + "</configuration>").getBytes();
      exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aDirectoryIsNotAMissingFile() throws Exception {
    assertThat(run("check", write("capacity-scheduler.xml", conf), folder.toString())).isEqualTo(2);
    assertThat(err).contains("A directory, where a file is required: " + folder);
    assertThat(run("check", folder.resolve("none.xml").toString())).isEqualTo(2);
    assertThat(err).contains("No such file: ");
  }

  @Test
  void localIncludesAreReadOnlyIfAskedFor() throws Exception {
    Files.createDirectory(folder.resolve("sub"));
    file("sub/queues.xml", "<configuration>" + QUEUES + "</configuration>");
    for (String include : List.of(include("sub/queues.xml"), "<include href='none.xml'><fallback>" + QUEUES
        + "</fallback></include>")) {
      assertThat(checked("<configuration>" + include + "</configuration>")).isEqualTo(2);
      assertThat(err).containsPattern("Not read unless --external is given: <.*include.*\\.xml.*> \\(in .*"
          + "checked\\.xml\\)");
      assertThat(checked("<configuration>" + include + "</configuration>", "--external")).as(err).isZero();
      assertThat(out).contains("root.a: fifo");
    }
  }

  @Test
  void loopsOfIncludesEnd() throws Exception {
    assertThat(checked("<configuration>" + include("checked.xml") + "</configuration>", "--external"))
        .isEqualTo(2);
    assertThat(err).containsPattern("Nested too deeply|Not readable as a configuration");
  }

  /** Java may run out of stack within a regular expression, and says that in another way. */
  @Test
  void queuesNestedTooDeeplyAreNamed() throws Exception {
    StringBuilder properties = new StringBuilder("<configuration>");
    for (int i = 0; i < 2000; i++) {
      properties.append("<property><name>yarn.scheduler.capacity.root").append(".a".repeat(i))
          .append(".queues</name><value>a</value></property>");
    }
    int[] exitCode = {-1};
    Thread check = new Thread(null, () -> {
      try {
        exitCode[0] = checked(properties + "</configuration>");
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }, "little stack", 300_000);
    check.start();
    check.join();
    assertThat(exitCode[0]).isEqualTo(2);
    assertThat(err).contains("Nested too deeply: ");
  }

  /** Java takes all of these for addresses. */
  @ParameterizedTest
  @ValueSource(strings = {"href='%s", "href='url:%s", "href=' %s", "xi:href='%s",
      "href='none.xml' xi:href='%s"})
  void networkIsReadOnlyIfAskedFor(String attribute) throws Exception {
    String include = "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' "
        + attribute.replace("%s", address + "queues.xml'/>");
    String included = "<configuration>" + include + "</configuration>";
    assertThat(checked(included)).isEqualTo(2);
    assertThat(err).contains("Not read unless --external is given: <xi:include", address, "checked.xml");
    assertThat(requests).hasValue(0);
    assertThat(checked(included, "--external")).as(err).isZero();
    assertThat(requests).hasPositiveValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"<!DOCTYPE configuration SYSTEM '%sx.dtd'>",
      "<!DOCTYPE configuration [<!ENTITY % e SYSTEM '%sx.dtd'> %e;]>"})
  void documentTypesAreReadOnlyIfAskedFor(String type) throws Exception {
    String document = type.replace("%s", address) + "<configuration>" + QUEUES + "</configuration>";
    assertThat(checked(document)).isEqualTo(2);
    assertThat(err).contains("Not read unless --external is given: <!DOCTYPE configuration", "checked.xml");
    assertThat(requests).hasValue(0);
    assertThat(checked(document, "--external")).as(err).isZero();
    assertThat(requests).hasPositiveValue();
  }

  @Test
  void entitiesAreReplacedOnlyIfAskedFor() throws Exception {
    Path secret = file("secret", "hidden");
    assertThat(checked("<!DOCTYPE configuration [<!ENTITY e SYSTEM '" + secret.toUri()
        + "'>]><configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
        + "<value>&e;</value></property></configuration>")).isEqualTo(2);
    assertThat(out + err).doesNotContain("hidden").contains("--external");
    String own = "<!DOCTYPE configuration [<!ENTITY q '" + QUEUES
        + "'>]><configuration>&q;</configuration>";
    assertThat(checked(own)).isEqualTo(2);
    assertThat(checked(own, "--external")).as(err).isZero();
  }

  @Test
  void entitiesWithoutADocumentTypeAreNone() throws Exception {
    assertThat(checked("<configuration>&none;" + QUEUES + "</configuration>")).isEqualTo(2);
    assertThat(err).contains("Not readable as a configuration: ", "checked.xml", "none");
  }

  @Test
  void environmentIsReadOnlyIfAskedFor() throws Exception {
    String document = "<configuration>" + QUEUES + "<property><name>yarn.scheduler.capacity.root.a"
        + ".ordering-policy</name><value>${java.version}</value></property></configuration>";
    assertThat(checked(document)).isEqualTo(2);
    assertThat(out).contains("ordering-policy = '${java.version}'");
    assertThat(checked(document, "--external")).isEqualTo(2);
    assertThat(out).contains("ordering-policy = '" + System.getProperty("java.version") + "'");
  }

  @Test
  void valuesDoNotControlTheTerminal() throws Exception {
    assertThat(checked("<?xml version='1.1'?><configuration><property><name>yarn.scheduler.capacity.root"
        + ".queues</name><value>a&#27;[2J</value></property></configuration>")).isEqualTo(2);
    assertThat(out + err).doesNotContain("\u001b");
  }

  /** What a message quotes of a file may be an escape sequence, and so may a value. */
  @Test
  void messagesDoNotControlTheTerminal() throws Exception {
    assertThat(checked("<?xml version='1.1'?><configuration>"
        + "<include href='http://x/&#27;]0;owned&#7;&#155;2J'/></configuration>")).isEqualTo(2);
    assertThat(err).contains("http://x/?]0;owned??2J");
    assertThat(out + err).doesNotContain("\u001b", "\u009b");
    conf.put(OURS + "starting-group", "1\u009b2J");
    for (String option : List.of("--rules-only", "--json")) {
      check(option);
      assertThat(out).contains("starting-group");
      assertThat(out + err).doesNotContain("\u009b");
    }
  }

  @Test
  void everyOutcomeIsJsonIfAskedFor() throws Exception {
    for (List<String> args : List.of(List.of("check", "--json"), List.of("check", "--json", "--jsn", "x"),
        List.of("chekc", "--json"), List.of("check", folder.toString(), "--json"),
        List.of("check", "--json", "none.xml"), List.of("check", "--json",
            file("broken.xml", "<configuration><property>").toString()))) {
      assertThat(run(args.toArray(new String[0]))).as("%s", args).isEqualTo(2);
      JsonNode document = new ObjectMapper().readTree(out);
      assertThat(document.at("/exitCode").asInt()).isEqualTo(2);
      assertThat(document.at("/errors/0").asText()).isNotEmpty();
      assertThat(err).isEmpty();
    }
    conf.put(ROOT + "b.capacity", "80");
    assertThat(check("--json")).isEqualTo(2);
    assertThat(new ObjectMapper().readTree(out).at("/yarn").asText()).isEqualTo("refuses");
    assertThat(new ObjectMapper().readTree(out).at("/errors/0").asText()).startsWith("YARN refuses");
  }

  @Test
  void helpAndVersionAreNoErrors() {
    assertThat(run("check", "--help")).isZero();
    assertThat(out).startsWith("Usage: dripfeed-tools check").contains("Exit codes: 0");
    assertThat(run("check", "--version")).isZero();
    assertThat(out).startsWith("Dripfeed ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--rules-only", "--external"})
  void whatExplodesOrNestsDeeplyIsStopped(String option) throws Exception {
    StringBuilder type = new StringBuilder("<!DOCTYPE configuration [<!ENTITY e0 'lol'>");
    for (int i = 1; i < 12; i++) {
      type.append("<!ENTITY e").append(i).append(" '").append(("&e" + (i - 1) + ";").repeat(10))
          .append("'>");
    }
    assertThat(checked(type + "]><configuration><property><name>&e11;</name></property></configuration>",
        option)).as(err).isEqualTo(2);
    int depth = 50_000;
    assertThat(checked("<configuration>" + "<include href='none.xml'><fallback>".repeat(depth)
        + "</fallback></include>".repeat(depth) + "</configuration>", option)).as(err).isEqualTo(2);
  }

  private int checked(String document, String... options) throws Exception {
    String[] args = new String[options.length + 2];
    args[0] = "check";
    System.arraycopy(options, 0, args, 1, options.length);
    args[args.length - 1] = file("checked.xml", document).toString();
    return run(args);
  }

  private Path file(String name, String content) throws Exception {
    return Files.writeString(folder.resolve(name), content);
  }

  private static String include(String href) {
    return "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='" + href + "'/>";
  }
}
