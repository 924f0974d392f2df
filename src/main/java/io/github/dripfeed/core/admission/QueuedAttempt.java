/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.headroom.HeadroomClaim;
import java.util.Collections;
import java.util.List;

/**
 * One attempt in the order of one queue: who it is, and where it stands. {@link AdmissionLanes} moves it,
 * and
 * holds its lock while it does.
 *
 * @param <T> what stands for an application attempt
 */
final class QueuedAttempt<T> implements AttemptView<T> {

  final T item;
  final Attempt attempt;
  final AttemptHistory history;
  /** The numbers of the rule for it: those of the queue, unless it has its own. */
  final AttemptSettings settings;
  /** The place that its submission gives it. While it waits it holds nothing, and stands there. */
  final OrderKey submitted;

  /** The offer of this attempt and no other, made once: most offers are of one. */
  private final List<QueuedAttempt<T>> alone = Collections.singletonList(this);
  /** The place that its share of the queue gives it. */
  private volatile OrderKey admittedAt;
  /** The partition in whose line it stands. */
  private volatile String partition;
  /** The state in whose lanes it stands; null until it stands in any. */
  private volatile State lane;
  /** What it is expected to need, if a plan says so. */
  private volatile HeadroomClaim claim;
  private volatile boolean gone;

  QueuedAttempt(T item, Attempt attempt, AttemptHistory history, AttemptSettings settings, OrderKey place) {
    this.item = item;
    this.attempt = attempt;
    this.history = history;
    this.settings = settings;
    this.submitted = place.withShare(0);
    this.admittedAt = place;
  }

  List<QueuedAttempt<T>> alone() {
    return alone;
  }

  OrderKey admittedAt() {
    return admittedAt;
  }

  void setAdmittedAt(OrderKey place) {
    admittedAt = place;
  }

  String partition() {
    return partition;
  }

  void setPartition(String home) {
    partition = home;
  }

  State lane() {
    return lane;
  }

  void setLane(State state) {
    lane = state;
  }

  boolean isGone() {
    return gone;
  }

  void setGone() {
    gone = true;
  }

  /** What it is expected to need, or null if no plan says so. */
  HeadroomClaim claim() {
    return claim;
  }

  void setClaim(HeadroomClaim planned) {
    claim = planned;
  }

  @Override
  public boolean isExhausted() {
    return history.startedBefore() >= settings.startingTimeout();
  }

  /** Whether others go before it while it waits. */
  boolean isLate() {
    return history.isStalled() || isExhausted();
  }

  @Override
  public T item() {
    return item;
  }

  @Override
  public Attempt facts() {
    return attempt;
  }

  @Override
  public State state() {
    return history.state();
  }

  @Override
  public AttemptSettings settings() {
    return settings;
  }

  @Override
  public boolean isStalled() {
    return history.state() == State.ACCEPTED && isLate();
  }

  @Override
  public AttemptNotes notes() {
    return history.notes();
  }
}
