// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What is expected of an application that has not requested any executor yet. */
class DemandHistoryTest {

  private static final int MANY = DemandHistory.REMEMBERED;

  private final DemandHistory history = new DemandHistory();

  private void wants(Object app, String type, long number, long... size) {
    history.add(app, "", type, 0);
    history.update(app, "", List.of(new Demand("", ResourceVector.of(size), number)), number, 0);
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
    assertThat(history.most("app", "")).isZero();
  }

  @Test
  void fewApplicationsSetTheLargestSizeAndNoNumber() {
    for (int i = 1; i < DemandHistory.ENOUGH; i++) {
      wants(i, "SPARK", 20, i, DemandHistory.ENOUGH - i);
    }
    assertThat(size("SPARK", 2)).isEqualTo(ResourceVector.of(9, 9));
    assertThat(history.expected("", "SPARK", 2).get(0).count()).isZero();
    wants("tenth", "SPARK", 20, 1, 1);
    assertThat(history.expected("", "SPARK", 2).get(0).count()).isEqualTo(20);
  }

  @Test
  void outliersAreIgnored() {
    for (int i = 0; i < MANY; i++) {
      boolean outlier = i % 10 == 3;
      wants(i, "SPARK", outlier ? 1000 : 4, outlier ? 48 : 2);
    }
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(2));
    assertThat(number("SPARK")).isEqualTo(4);
    wants("another", "SPARK", 4, 48);
    assertThat(size("SPARK", 1)).as("more than a tenth").isEqualTo(ResourceVector.of(48));
  }

  @Test
  void numberIsWhatIsWantedOnAverage() {
    for (int i = 0; i < DemandHistory.ENOUGH; i++) {
      wants(i, "SPARK", 12, 2);
      wants(i, "SPARK", 2, 2);
      wants(i, "SPARK", 2, 2);
      wants(i, "SPARK", 3, 2);
    }
    assertThat(number("SPARK")).as("4.75").isEqualTo(5);
    assertThat(history.most(0, "")).isEqualTo(12);
  }

  @Test
  void typeOfApplicationCountsOnceItIsKnownWell() {
    for (int i = 0; i < 30; i++) {
      wants("spark" + i, "SPARK", 4, 8);
    }
    for (int i = 1; i < DemandHistory.ENOUGH; i++) {
      wants("mr" + i, "MAPREDUCE", 100, 1);
    }
    assertThat(number("MAPREDUCE")).as("of all").isEqualTo(4);
    wants("mr", "MAPREDUCE", 100, 1);
    assertThat(number("MAPREDUCE")).isEqualTo(100);
    assertThat(size("MAPREDUCE", 1)).isEqualTo(ResourceVector.of(1));
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(8));
    assertThat(number("TEZ")).as("of all").isEqualTo(4);
  }

  @Test
  void partitionsAreSeparate() {
    for (int i = 0; i < DemandHistory.ENOUGH; i++) {
      history.add(i, "", "SPARK", 0);
      history.update(i, "", List.of(new Demand("", ResourceVector.of(4), 6),
          new Demand("", ResourceVector.of(3), 2), new Demand("gpu", ResourceVector.of(9), 1)), 9, 0);
      history.add("other" + i, "other", "SPARK", 0);
      history.update("other" + i, "other", List.of(new Demand("", ResourceVector.of(99), 99)), 99, 0);
    }
    assertThat(history.expected("", "SPARK", 1))
        .extracting(Demand::partition, demand -> demand.size().get(0), Demand::count)
        .containsExactlyInAnyOrder(tuple("", 4L, 8L), tuple("gpu", 9L, 1L));
  }

  @Test
  void partitionThatFewUseIsExpectedToGetNone() {
    for (int i = 0; i < 20; i++) {
      wants(i, "SPARK", 4, 2);
    }
    history.update(3, "", List.of(new Demand("gpu", ResourceVector.of(9), 5)), 4, 0);
    assertThat(history.expected("", "SPARK", 1)).extracting(Demand::partition, Demand::count)
        .containsExactlyInAnyOrder(tuple("", 4L), tuple("gpu", 0L));
  }

  @Test
  void oldestApplicationIsForgottenAndDoesNotComeBack() {
    wants("large", "SPARK", 1, 100);
    for (int i = 1; i < DemandHistory.ENOUGH - 1; i++) {
      wants(i, "SPARK", 1, 1);
    }
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(100));
    for (int i = 0; i < MANY; i++) {
      wants("next" + i, "SPARK", 1, 2);
    }
    history.update("large", "", List.of(new Demand("", ResourceVector.of(100), 1)), 1, 0);
    assertThat(history.most("large", "")).isZero();
    assertThat(size("SPARK", 1)).isEqualTo(ResourceVector.of(2));
  }

  @Test
  void sizesWithOtherResourceTypesAreIgnored() {
    wants("app1", "SPARK", 9, 100);
    assertThat(history.expected("", "SPARK", 2)).isEmpty();
    wants("app2", "SPARK", 9, 1, 1);
    assertThat(size("SPARK", 2)).isEqualTo(ResourceVector.of(1, 1));
    wants("app1", "SPARK", 9, 5, 6);
    assertThat(size("SPARK", 2)).as("in the new types").isEqualTo(ResourceVector.of(5, 6));
  }

  @Test
  void applicationThatStoppedGrowingHasShownWhatItWants() {
    List<Demand> expected = List.of(new Demand("", ResourceVector.of(2), 20));
    history.startsUp("app", 0);
    assertThat(history.remaining("app", "", () -> expected, 0)).isEqualTo(expected);
    wants("app", "SPARK", 4, 2);
    assertThat(remaining(expected, 0)).isEqualTo(16);
    history.update("app", "", List.of(new Demand("", ResourceVector.of(2), 8)), 8, 9000);
    assertThat(remaining(expected, 9000 + DemandHistory.GROWTH - 1)).isEqualTo(12);
    history.update("app", "", List.of(new Demand("", ResourceVector.of(2), 8)), 8, 15_000);
    assertThat(history.remaining("app", "", () -> expected, 9000 + DemandHistory.GROWTH)).isEmpty();
  }

  private long remaining(List<Demand> expected, long now) {
    return history.remaining("app", "", () -> expected, now).get(0).count();
  }

  @Test
  void applicationThatStartsUpForLongMayNeedNoExecutors() {
    List<Demand> expected = List.of(new Demand("", ResourceVector.of(2), 20));
    history.startsUp("early", 0);
    for (int i = 0; i < 10; i++) {
      assertThat(history.remaining("early", "", () -> expected, 1_000_000)).as("little is known")
          .isEqualTo(expected);
      history.startsUp(i, 1000);
      history.startsUp(i, 5000);
      history.add(i, "", "SPARK", i == 0 ? 900_000 : 21_000 + i);
      history.update(i, "", List.of(new Demand("", ResourceVector.of(2), 20)), 20, 900_000);
    }
    history.startsUp("app", 1_000_000);
    assertThat(history.remaining("app", "", () -> expected, 1_020_009)).isEqualTo(expected);
    assertThat(history.remaining("app", "", () -> expected, 1_020_010)).as("nine in ten took less")
        .isEmpty();
  }

  @Test
  void quickStartUpsDoNotMakeOthersLateAtOnce() {
    for (int i = 0; i < 10; i++) {
      wants(i, "SPARK", 4, 2);
    }
    history.startsUp("app", 0);
    List<Demand> expected = history.expected("", "SPARK", 1);
    assertThat(history.remaining("app", "", () -> expected, DemandHistory.GROWTH)).isEqualTo(expected);
    assertThat(history.remaining("app", "", () -> expected, DemandHistory.GROWTH + 1)).isEmpty();
  }

  @Test
  void forgottenApplicationHasHadTimeToShowWhatItWants() {
    wants("old", "SPARK", 1, 2);
    for (int i = 0; i < MANY; i++) {
      wants(i, "SPARK", 4, 2);
    }
    assertThat(history.remaining("old", "", () -> history.expected("", "SPARK", 1), 0)).isEmpty();
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
      any.add(i, "", "SPARK", 0);
      any.update(i, "", List.of(new Demand("", ResourceVector.of(size), number)), number, 0);
      most = outlier ? most : Math.max(most, number);
      largest = outlier ? largest : Math.max(largest, size);
    }
    Demand expected = any.expected("", "SPARK", 1).get(0);
    assertThat(expected.count()).isBetween(0L, most);
    assertThat(expected.size().get(0)).isBetween(0L, largest);
  }
}
