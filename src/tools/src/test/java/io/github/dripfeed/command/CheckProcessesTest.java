// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code check --rm} of a pair: what keeps one of them from becoming active. */
class CheckProcessesTest extends CommandFixture {

  private static final String JAR = "/opt/yarn/lib/dripfeed-yarn-0.1.0.jar";

  @Test
  void eachProcessNeedsOneJarAndTheSame() throws Exception {
    try (FakeResourceManager standby = new FakeResourceManager()) {
      standby.haState = "STANDBY";
      rm.classpath += ":" + JAR;
      Output without = check(standby);
      assertThat(without.exitCode()).isEqualTo(2);
      assertThat(without.out()).contains(rm.url() + ": ACTIVE, Hadoop 3.4.3, dripfeed-yarn-0.1.0.jar\n",
          standby.url() + ": STANDBY, Hadoop 3.4.3, no dripfeed-yarn*.jar\n",
          "  ERROR   " + standby.url() + ": not started with one");
      assertThat(Path.of("docs", "high-availability.md")).content().contains("```\n"
          + without.out().replace(rm.url().toString(), "http://rm1:8088")
              .replace(standby.url().toString(), "http://rm2:8088") + "```");

      standby.classpath += ":" + JAR + ":" + JAR;
      assertThat(check(standby).out()).as("the same file twice").doesNotContain("ERROR");
      assertThat(check(standby).exitCode()).isZero();

      standby.classpath += ":/home/dripfeed-yarn-0.2.0.jar";
      assertThat(check(standby).out()).contains(standby.url() + ": not started with one",
          "ERROR   The jars differ");

      standby.classpath = "/opt/dripfeed-yarn.jar:/opt/dripfeed-yarn-jar:/opt/dripfeed-tools-0.2.0.jar";
      assertThat(check(standby).out()).contains("STANDBY, Hadoop 3.4.3, dripfeed-yarn.jar\n")
          .doesNotContain("not started with one");

      standby.tellsOnStandby = false;
      Output silent = check(standby);
      assertThat(silent.out()).contains("ERROR   " + standby.url() + ": not started with one");
      assertThat(Output.of("check", "--rm", rm.url() + "," + standby.url(), "--json").json()
          .at("/resourceManagers/0/jars").asText()).isEqualTo("dripfeed-yarn-0.1.0.jar");
    }
  }

  @Test
  void addressesAreThoseOfYarnSiteUnlessGiven() {
    for (String[] call : new String[][] {{"check", "--rm"}, {"check", "--rm", "--timeout=5"}}) {
      Output output = Output.of(call);
      assertThat(output.exitCode()).isEqualTo(2);
      assertThat(output.err()).contains("the yarn-site.xml on the class path names none");
    }
  }

  private Output check(FakeResourceManager standby) {
    return Output.of("check", "--rm=" + rm.url() + "," + standby.url());
  }
}
