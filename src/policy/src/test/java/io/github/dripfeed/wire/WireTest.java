// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.view.LiveView;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Other programs read these names: whoever changes one breaks them. */
class WireTest {

  private static String names(Object[] constants) {
    return Arrays.toString(constants).replaceAll("[\\[\\],]", "");
  }

  @Test
  void namesOnTheWireStayAsTheyAre() {
    assertThat(Wire.MBEAN).isEqualTo("Hadoop:service=ResourceManager,name=DripfeedView");
    assertThat(names(Wire.Attribute.values())).isEqualTo("Version HadoopVersion Time StartTime ClusterId"
        + " ResourceManager Queues Starting Line Pending Events Promotions ForgottenPromotions"
        + " EndedWhileStarting ForgottenEndedWhileStarting");
    assertThat(names(Wire.Column.values())).isEqualTo("queue group partition application name attempt user"
        + " type from to code arguments reason resources lacks requests takesSlot maxStarting ordering"
        + " takeBack settings changedSettings accepted starting running waitingForSlot"
        + " waitingForRoom takenBack pendingActivation startIntervalLowSeconds"
        + " startIntervalHighSeconds startsCounted since seconds atMostSeconds executors minExecutors"
        + " earlierSeconds place priority memoryMb vcores startsInLowSeconds startsInHighSeconds sequence"
        + " time milliseconds");
    assertThat(names(Wire.Wait.values())).isEqualTo("ROOM PLAN_EXPECTED PLAN_NODES"
        + " PLAN_QUEUE PLAN_USER PLAN_RESERVE SLOT EXECUTORS PROGRESS USER_LIMIT BACK_OFF"
        + " EXHAUSTED STALLED AM_LIMIT");
    assertThat(names(Wire.Argument.values())).isEqualTo("group parent next seconds takenBack");
    assertThat(names(Wire.Event.values())).isEqualTo("AM_ALLOCATED EXECUTORS TIMEOUT IDLE EXEMPT EXEMPT_NOW"
        + " INHERITED UNDETERMINED TAKEN_BACK FINISHED KILLED FAILED ENDED");
    assertThat(Wire.NEW + " " + Wire.ENDED + " " + Wire.YES + " " + Wire.NO)
        .isEqualTo("NEW ENDED yes no");
    assertThat(Stream.of(State.values()).map(State::name))
        .containsExactly(Wire.ACCEPTED, Wire.STARTING, Wire.RUNNING);
  }

  @Test
  void attributesAreThoseOfTheBean() throws Exception {
    LiveView.show();
    MBeanAttributeInfo[] attributes = ManagementFactory.getPlatformMBeanServer()
        .getMBeanInfo(new ObjectName(Wire.MBEAN)).getAttributes();
    assertThat(attributes).extracting(MBeanAttributeInfo::getName)
        .containsExactly(
            Stream.of(Wire.Attribute.values()).map(Wire.Attribute::toString).toArray(String[]::new));
    assertThat(attributes).allMatch(MBeanAttributeInfo::isReadable)
        .noneMatch(MBeanAttributeInfo::isWritable)
        .extracting(MBeanAttributeInfo::getType).containsOnly(
            "java.lang.String", "java.lang.Long", "[Ljavax.management.openmbean.CompositeData;");
  }

  @Test
  void everyCodeIsDocumented() throws Exception {
    assertThat(Files.readString(Path.of("docs", "operations.md"))).contains(
        Stream.of(Wire.Wait.values(), Wire.Event.values()).flatMap(Stream::of)
            .map(code -> "`" + code.name() + "`").toArray(String[]::new));
  }
}
