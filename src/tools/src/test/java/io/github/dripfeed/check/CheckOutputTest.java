// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole output for files with most of the mistakes that there are, to the byte. */
class CheckOutputTest extends CheckFixture {

  @ParameterizedTest
  @CsvSource({"rules.txt, --rules-only", "rules.json, --rules-only --json",
      "yarn.txt, --cluster-memory 40960", "yarn.json, --cluster-memory 40960 --json"})
  void outputIsTheSame(String expected, String options) throws Exception {
    Assumptions.assumeTrue(expected.startsWith("rules") || VersionInfo.getVersion().startsWith("3.4."),
        "other versions of YARN refuse it with other words");
    String file = resource("faulty.xml").toString();
    assertThat(run(("check " + options + " " + file + " " + resource("faulty-site.xml")).split(" ")))
        .isEqualTo(2);
    assertThat(err).isEmpty();
    assertThat(out.replace(file, "FILE").replace(VersionInfo.getVersion(), "VERSION"))
        .isEqualTo(Files.readString(resource(expected)));
  }

  private static Path resource(String name) throws Exception {
    return Path.of(CheckOutputTest.class.getResource(name).toURI());
  }
}
