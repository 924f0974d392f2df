// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.SchedulingMonitorManager;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of scheduling monitors with which a ResourceManager does not start. */
class MonitorCheckTest extends CheckFixture {

  private static final String POLICIES = "yarn.resourcemanager.scheduler.monitor.policies";
  private static final String YARNS = "org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity"
      + ".ProportionalCapacityPreemptionPolicy";
  private static final String OURS_TOO = "io.github.dripfeed.ReclaimPolicy";

  @ParameterizedTest
  @CsvSource({"io.github.dripfeed.ReclaimPolicy.", "io.github.dripfed.ReclaimPolicy", "a.B"})
  void misspeltMonitorIsAnError(String misspelt) throws Exception {
    site.put(POLICIES, YARNS + "," + misspelt);
    assertThat(check()).as("YARN does not read the list").isZero();
    site.put("yarn.resourcemanager.scheduler.monitor.enable", "true");
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("ERROR   " + POLICIES + " = '" + YARNS + "," + misspelt + "': '" + misspelt
        + "': no such class on the class path of this check, so the ResourceManager would not start;"
        + " allowed are classes of scheduling monitors, with nothing but commas between them, such as "
        + YARNS + "," + OURS_TOO);
    assertThat(check("--rules-only")).isEqualTo(2);
    site.put(POLICIES, misspelt);
    Assertions.assertThatThrownBy(() -> new SchedulingMonitorManager().initialize(null, yarnSite()))
        .as("YARN's own words").hasMessageContaining("Failed to find class of specified policy=");
    site.put(POLICIES, OURS_TOO + "," + YARNS);
    assertThat(check()).as(out).isZero();
  }

  @Test
  void aClassThatIsNoMonitorIsAnError() throws Exception {
    site.put("yarn.resourcemanager.scheduler.monitor.enable", "true");
    site.put(POLICIES, STATE_AWARE);
    assertThat(check()).isEqualTo(2);
    assertThat(out).contains("'" + STATE_AWARE + "' is no scheduling monitor (SchedulingEditPolicy)");
  }

  /** YARN trims since Hadoop 3.4; the check says of white space what the YARN of its host does. */
  @Test
  void whiteSpaceIsAnErrorWhereYarnDoesNotTrim() throws Exception {
    boolean trims = VersionInfo.getVersion().compareTo("3.4") >= 0;
    site.put("yarn.resourcemanager.scheduler.monitor.enable", "true");
    site.put(POLICIES, "\n    " + YARNS + ",\n    " + OURS_TOO + "\n  ");
    assertThat(check()).as(out).isEqualTo(trims ? 0 : 2);
    if (!trims) {
      assertThat(out).contains("errors: 2", POLICIES + " = '\\n    " + YARNS + ",\\n    " + OURS_TOO
          + "\\n  ': white space around '" + OURS_TOO + "', which YARN does not trim here, so the"
          + " ResourceManager would not start");
    }
    site.put(POLICIES, YARNS + ",," + OURS_TOO);
    assertThat(check()).as("an empty name is no class: " + out).isEqualTo(trims ? 2 : 0);
  }

  private YarnConfiguration yarnSite() {
    Configuration conf = new Configuration(false);
    site.forEach(conf::set);
    return new YarnConfiguration(conf);
  }
}
