// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is expected of an application that has not requested any executor yet. */
class DemandHistoryTest {

  private static final int MANY = DemandHistory.REMEMBERED;

  private final DemandHistory history = new DemandHistory();

  private void wants(Object app, String type, long number, long... size) {
    wants(app, type, 0, List.of(new Demand("", ResourceVector.of(size), number)));
  }

  private void wants(Object app, String type, long now, List<Demand> demands) {
    history.wants(app, "", type, -1, demands, demands.stream().mapToLong(Demand::count).sum(), now);
  }

  /** It had a driver and is gone without a request. */
  private void wantsNothing(Object app, String type) {
    history.startsUp(app, "", type);
    history.retain(each -> !each.equals(app), each -> false);
  }

  private ResourceVector size(String type, int types) {
    return history.expected("", type, types).get(0).size();
  }

  private long number(String type) {
    return history.expected("", type, 1).get(0).count();
  }

  @Test
  void emptyHistoryExpectsNothing() {
    assertThat(history.expected("", "SPARK", 2)).isEmpty();
    assertThat(history.isAnyKnown("")).isFalse();
    assertThat(history.most("app", "")).isZero();
    assertThat(history.startUp()).isZero();
  }

  @Test
  void firstApplicationSetsSizeAndNumberAndLaterOnesTheMedian() {
    wants(1, "SPARK", 20, 8);
    assertThat(history.isAnyKnown("")).isTrue();
    assertThat(history.isAnyKnown("gpu")).isFalse();
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(8));
    assertThat(number("SPARK")).isEqualTo(20);
    wants(2, "SPARK", 3, 1);
    wants(3, "SPARK", 5, 1);
    assertThat(number("SPARK")).isEqualTo(5);
  }

  @Test
  void outliersAreIgnored() {
    for (int i = 0; i < MANY; i++) {
      boolean outlier = i % 10 == 3;
      wants(i, "SPARK", outlier ? 1000 : 4, outlier ? 48 : 2);
    }
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(2));
    assertThat(number("SPARK")).isEqualTo(4);
    for (int i = 0; i < MANY; i++) {
      wants("later-" + i, "SPARK", 4, 48);
    }
    assertThat(size("SPARK", 1)).as("more than half").isEqualTo(ResourceVector.of(48));
  }

  @Test
  void sizeIsOneThatWasRequestedAsAWhole() {
    wants("wide", "SPARK", 1, 4, 16);
    wants("tall", "SPARK", 1, 48, 2);
    assertThat(size("SPARK", 2)).isEqualTo(ResourceVector.of(4, 16));
    assertThat(history.requested("", 2)).isEqualTo(
        Set.of(ResourceVector.of(4, 16), ResourceVector.of(48, 2)));
  }

  @Test
  void sizeIsThatOfTheFirstRequest() {
    wants("app", "SPARK", 1, 2);
    wants("app", "SPARK", 2, 30);
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(2));
    assertThat(history.ownSize("app", "", "", 1)).isEqualTo(ResourceVector.of(2));
    assertThat(history.ownSize("app", "", "gpu", 1)).isNull();
    assertThat(history.requested("", 1)).as("but room is kept for all").contains(ResourceVector.of(30));
  }

  @ParameterizedTest(name = "{0} of 10 ask for a GPU: {1} of it are expected")
  @CsvSource({"0, 0", "1, 0", "4, 0", "5, 1", "10, 1"})
  void rareTypeIsExpectedIfHalfAskForIt(int gpus, long expected) {
    for (int i = 0; i < 10; i++) {
      wants(i, "SPARK", 1, i < gpus ? 8 : 2, 1, i < gpus ? 1 : 0);
    }
    assertThat(size("SPARK", 3)).isEqualTo(ResourceVector.of(expected > 0 ? 8 : 2, 1, expected));
  }

  @ParameterizedTest(name = "{0} of 10 ask for executors on a label")
  @CsvSource({"0, false", "1, false", "4, false", "5, true", "10, true"})
  void partitionIsExpectedIfHalfAskForIt(int asking, boolean expected) {
    for (int i = 0; i < 10; i++) {
      wants(i, "SPARK", 0, i < asking
          ? List.of(new Demand("", ResourceVector.of(4), 6), new Demand("gpu", ResourceVector.of(9), 2))
          : List.of(new Demand("", ResourceVector.of(4), 6)));
    }
    assertThat(history.expected("", "SPARK", 1)).extracting(Demand::partition)
        .containsExactlyInAnyOrder(expected ? new String[] {"", "gpu"} : new String[] {""});
  }

  @Test
  void partitionsOfDriversAreSeparate() {
    wants(1, "SPARK", 0, List.of(new Demand("", ResourceVector.of(4), 6),
        new Demand("", ResourceVector.of(3), 2), new Demand("gpu", ResourceVector.of(9), 1)));
    history.wants(2, "other", "SPARK", -1, List.of(new Demand("", ResourceVector.of(99), 99)), 99, 0);
    assertThat(history.expected("", "SPARK", 1))
        .extracting(Demand::partition, demand -> demand.size().get(0), Demand::count)
        .containsExactlyInAnyOrder(tuple("", 4L, 8L), tuple("gpu", 9L, 1L));
  }

  @Test
  void thoseThatEndWithoutARequestWantNone() {
    wants(1, "SPARK", 9, 2);
    wantsNothing(2, "SPARK");
    assertThat(history.expected("", "SPARK", 1)).as("half of them").hasSize(1);
    assertThat(number("SPARK")).isZero();
    wantsNothing(3, "SPARK");
    assertThat(history.expected("", "SPARK", 1)).as("most of them").isEmpty();
    history.startsUp(4, "", "SPARK");
    history.startsUp("moved", "", "SPARK");
    history.retain(app -> app.equals(4), app -> true);
    wants(5, "SPARK", 9, 2);
    assertThat(history.expected("", "SPARK", 1)).as("one that is still there has time, one was moved")
        .hasSize(1);
  }

  @Test
  void typeOfApplicationCountsOnceItIsKnownWell() {
    for (int i = 0; i < 30; i++) {
      wants("spark" + i, "SPARK", 4, 8);
    }
    for (int i = 1; i < DemandHistory.ENOUGH; i++) {
      wantsNothing("mr" + i, "MAPREDUCE");
    }
    assertThat(number("MAPREDUCE")).as("of all").isEqualTo(4);
    wantsNothing("mr", "MAPREDUCE");
    assertThat(history.expected("", "MAPREDUCE", 1)).isEmpty();
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(8));
    assertThat(number("TEZ")).as("of all").isEqualTo(4);
  }

  @Test
  void numberIsWhatIsWantedOnAverage() {
    wants("app", "SPARK", 12, 2);
    wants("app", "SPARK", 2, 2);
    wants("app", "SPARK", 2, 2);
    wants("app", "SPARK", 3, 2);
    assertThat(number("SPARK")).as("4.75").isEqualTo(5);
    assertThat(history.most("app", "")).isEqualTo(12);
  }

  @Test
  void oldestApplicationIsForgotten() {
    wants("large", "SPARK", 1, 100);
    for (int i = 0; i < MANY; i++) {
      assertThat(history.requested("", 1)).contains(ResourceVector.of(100));
      wants(i, "SPARK", 1, 2);
    }
    assertThat(history.requested("", 1)).containsExactly(ResourceVector.of(2));
    assertThat(history.remaining("large", "", () -> history.expected("", "SPARK", 1), 0)).isEmpty();
  }

  /** A queue in which more of them run would else learn of the same ones again and again. */
  @Test
  void oneThatIsForgottenIsLearnedAnewOnceItHasEnded() {
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2 * MANY; i++) {
        history.wants(i, "", "SPARK", i < MANY || round == 0 ? 7_000 : -1,
            List.of(new Demand("", ResourceVector.of(i < MANY ? 8 : 2), 1)), 1, 1000 * round);
      }
    }
    assertThat(history.startUp()).isEqualTo(7_000);
    assertThat(history.requested("", 1)).containsExactly(ResourceVector.of(2));
    assertThat(history.isForgotten(0)).isTrue();
    history.retain(each -> true, each -> false);
    assertThat(history.isForgotten(0)).isFalse();
  }

  @Test
  void sizesWithOtherResourceTypesAreIgnored() {
    wants("app1", "SPARK", 9, 100);
    assertThat(history.expected("", "SPARK", 2)).isEmpty();
    assertThat(history.requested("", 2)).isEmpty();
    wants("app2", "SPARK", 9, 1, 1);
    assertThat(size("SPARK", 2)).isEqualTo(ResourceVector.of(1, 1));
  }

  @Test
  void applicationThatStoppedGrowingHasShownWhatItWants() {
    List<Demand> expected = List.of(new Demand("", ResourceVector.of(2), 20));
    assertThat(history.remaining("app", "", () -> expected, 0)).as("without a driver").isEmpty();
    history.startsUp("app", "", "SPARK");
    assertThat(history.remaining("app", "", () -> expected, 0)).isEqualTo(expected);
    wants("app", "SPARK", 4, 2);
    assertThat(remaining(expected, 0)).isEqualTo(16);
    wants("app", "SPARK", 9000, List.of(new Demand("", ResourceVector.of(2), 8)));
    assertThat(remaining(expected, 9000 + DemandHistory.GROWTH - 1)).isEqualTo(12);
    wants("app", "SPARK", 15_000, List.of(new Demand("", ResourceVector.of(2), 8)));
    assertThat(history.remaining("app", "", () -> expected, 9000 + DemandHistory.GROWTH)).isEmpty();
  }

  private long remaining(List<Demand> expected, long now) {
    return history.remaining("app", "", () -> expected, now).get(0).count();
  }

  @Test
  void startUpIsTheMedianOfTheFirstRequests() {
    List<Demand> one = List.of(new Demand("", ResourceVector.of(1), 1));
    long[] startUps = {7_000, -1, 90_000, 20_000};
    for (int i = 0; i < startUps.length; i++) {
      history.wants(i, "", "SPARK", startUps[i], one, 1, 0);
      history.wants(i, "", "SPARK", 1_000_000, one, 1, 0);
    }
    wantsNothing("none", "SPARK");
    assertThat(history.startUp()).as("the middle of the three that are known").isEqualTo(20_000);
  }

  @ParameterizedTest(name = "{0} took {1} ms, one of ten three times as long: silent after {2}")
  @CsvSource({"0, 0, 30000", "9, 5000, 30000", "10, 12000, 12000", "50, 45000, 45000", "10, 100, 10000"})
  void silentIsWhoRequestsNothingForLongerThanNineInTenTook(int known, long startUp, long silent) {
    for (int i = 0; i < known; i++) {
      history.wants(i, "", "SPARK", i % 10 == 3 ? 3 * startUp : startUp,
          List.of(new Demand("", ResourceVector.of(1), 1)), 1, 0);
    }
    assertThat(history.silentAfter("SPARK")).isEqualTo(silent);
  }

  @Test
  void silenceIsThatOfTheTypeWhereTenAreKnown() {
    for (int i = 0; i < 2 * DemandHistory.ENOUGH; i++) {
      history.wants(i, "", i % 2 == 0 ? "SPARK" : "TEZ", i % 2 == 0 ? 12_000 : 40_000,
          List.of(new Demand("", ResourceVector.of(1), 1)), 1, 0);
    }
    assertThat(history.silentAfter("SPARK")).isEqualTo(12_000);
    assertThat(history.silentAfter("FLINK")).as("of all").isEqualTo(40_000);
  }

  /** Whatever a tenth of the applications request, the expectation stays within what the others do. */
  @Property(tries = 200)
  void estimateStaysWithinWhatMostApplicationsWant(@ForAll long seed, @ForAll @IntRange(min = 10, max = 50)
      int apps) {
    Random random = new Random(seed);
    DemandHistory any = new DemandHistory();
    long most = 0;
    long largest = 0;
    for (int i = 0; i < apps; i++) {
      boolean outlier = i < apps / 10;
      long number = outlier ? random.nextInt(1_000_000) : 1 + random.nextInt(30);
      long size = outlier ? random.nextInt(1_000_000) : 1 + random.nextInt(8);
      any.wants(i, "", "SPARK", -1, List.of(new Demand("", ResourceVector.of(size), number)), number, 0);
      most = outlier ? most : Math.max(most, number);
      largest = outlier ? largest : Math.max(largest, size);
    }
    Demand expected = any.expected("", "SPARK", 1).get(0);
    assertThat(expected.count()).isBetween(0L, most);
    assertThat(expected.size().get(0)).isBetween(0L, largest);
  }
}
