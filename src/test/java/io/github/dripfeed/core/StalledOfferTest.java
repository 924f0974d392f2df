/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@code accepted-timeout} does to one that is offered in vain. */
class StalledOfferTest {

  private static final Settings SETTINGS = new Settings(1, 1, 10_000, 1000);

  private final Queue queue = new Queue(SETTINGS);

  @Test
  void theNextIsOfferedTooAndTheStalledOneAfterEverythingElse() {
    FakeAttempt running = queue.submit("R");
    queue.allocateDriver(running);
    queue.allocateExecutors(running, 1);
    queue.submit("A");
    queue.submit("B");
    assertThat(queue.offered()).isEqualTo("R A");
    queue.now = 999;
    assertThat(queue.offered()).isEqualTo("R A");
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("R B A");
    assertThat(queue.told).contains("A stalled 1000");
  }

  @Test
  void theFallbackReleasesOneAtATime() {
    queue.submit("A");
    queue.submit("B");
    queue.submit("C");
    queue.submit("D");
    queue.offered();
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("B A");
    queue.now = 1999;
    assertThat(queue.offered()).isEqualTo("B A");
    queue.now = 2000;
    assertThat(queue.offered()).isEqualTo("C A B");
  }

  @Test
  void nobodyBesidesIsOfferedWhileNoSlotIsFree() {
    queue.submit("A");
    FakeAttempt b = queue.submit("B");
    queue.offered();
    queue.now = 1000;
    queue.offered();
    queue.allocateDriver(b);
    assertThat(queue.offered()).isEqualTo("B");
  }

  @Test
  void aStalledOneStillGetsItsDriverAndThenStandsInItsPlace() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    queue.offered();
    queue.now = 1000;
    queue.offered();
    queue.allocateDriver(a);
    queue.allocateExecutors(a, 1);
    assertThat(queue.offered()).isEqualTo("A B");
  }

  @Test
  void aReservedDriverStallsToo() {
    FakeAttempt a = queue.submit("A");
    queue.submit("B");
    a.reserved = true;
    queue.order.containerAllocated(a, 0);
    queue.offered();
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("B A");
  }

  @Test
  void onlyTheTimeOfTheOfferCounts() {
    queue.submit("A");
    FakeAttempt urgent = queue.submit("U", 1);
    queue.offered();
    queue.now = 900;
    queue.remove(urgent);
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1899;
    assertThat(queue.offered()).isEqualTo("A");
    FakeAttempt second = queue.submit("V", 1);
    assertThat(queue.offered()).isEqualTo("V");
    queue.now = 2000;
    queue.remove(second);
    assertThat(queue.offered()).as("999 ms so far").isEqualTo("A");
    queue.now = 2001;
    queue.submit("B");
    assertThat(queue.offered()).as("1000 ms in all").isEqualTo("B A");
  }

  @Test
  void zeroSwitchesItOff() {
    Queue patient = new Queue(new Settings(1, 1, 10_000, 0));
    patient.submit("A");
    patient.submit("B");
    patient.offered();
    patient.now = Long.MAX_VALUE / 2;
    assertThat(patient.offered()).isEqualTo("A");
  }

  @Test
  void theTimeAndTheStalledOutliveARefresh() {
    queue.submit("A");
    queue.submit("B");
    queue.offered();
    queue.now = 600;
    queue.refresh(SETTINGS);
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1000;
    assertThat(queue.offered()).isEqualTo("B A");
    queue.refresh(SETTINGS);
    assertThat(queue.offered()).isEqualTo("B A");
    assertThat(queue.told).as("told once").containsOnlyOnce("A stalled 1000");
  }

  @Test
  void theTimeStopsAtARefreshAfterWhichAnotherIsOffered() {
    FakeAttempt a = queue.submit("A");
    queue.offered();
    queue.now = 100;
    queue.submit("B");
    a.asks = false;
    queue.refresh(SETTINGS);
    assertThat(queue.offered()).isEqualTo("B");
    queue.now = 999;
    a.asks = true;
    assertThat(queue.offered()).isEqualTo("A");
    queue.now = 1000;
    assertThat(queue.offered()).as("101 ms so far").isEqualTo("A");
  }

  @Test
  void theTimeStartsAnewInAnotherQueue() {
    FakeAttempt a = queue.submit("A");
    queue.offered();
    queue.now = 900;
    queue.remove(a);
    Queue other = new Queue(SETTINGS);
    other.now = 900;
    other.histories.put(a, queue.history(a));
    other.add(a, 0);
    other.submit("B");
    assertThat(other.offered()).isEqualTo("A");
    other.now = 1899;
    assertThat(other.offered()).isEqualTo("A");
    other.now = 1900;
    assertThat(other.offered()).isEqualTo("B A");
  }

  @Test
  void oneWhoseTimeIsUpWhenItLosesTheOfferHasHadItsTime() {
    FakeAttempt urgent = queue.submit("urgent", 2);
    queue.submit("A");
    urgent.asks = false;
    assertThat(queue.offered()).isEqualTo("A");
    queue.now += 1000;
    queue.allocateDriver(urgent);
    assertThat(queue.offered()).as("its time is up, and the slot is taken").isEqualTo("urgent");
    queue.submit("B", 1);
    queue.allocateExecutors(urgent, 1);
    assertThat(queue.offered()).isEqualTo("urgent B A");
  }
}
