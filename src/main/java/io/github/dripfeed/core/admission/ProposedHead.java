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

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;

/**
 * The head of a line that was given to the scheduler last. Where scheduling is asynchronous, its driver may
 * have been proposed, and is allocated some time later. Until then no other attempt may follow as the head,
 * or both would start (docs/design.md#a-policy-cannot-veto-a-commit).
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class ProposedHead<T> {

  /** Longer than it takes to commit a proposal, on a busy machine too; in milliseconds. */
  static final long UNDER_WAY = 500;

  private static final class Given<T> {
    /** Weak, because an attempt that is gone must not be kept. */
    private final Reference<QueuedAttempt<T>> attempt;
    private volatile long at;

    private Given(QueuedAttempt<T> attempt, long at) {
      this.attempt = new WeakReference<>(attempt);
      this.at = at;
    }
  }

  /** Null if there was none. */
  private volatile Given<T> last;

  /** The scheduler is given the head. */
  void given(QueuedAttempt<T> head, long now) {
    Given<T> before = last;
    if (before != null && before.attempt.get() == head) {
      before.at = now;
    } else {
      last = new Given<>(head, now);
    }
  }

  /** Whether another attempt may still get its driver because it was the head. */
  boolean isAnotherUnderWay(QueuedAttempt<T> head, long now) {
    Given<T> before = last;
    if (before == null || now - before.at >= UNDER_WAY) {
      return false;
    }
    QueuedAttempt<T> other = before.attempt.get();
    return other != null && other != head && !other.isGone() && other.lane() == State.ACCEPTED
        && !other.isLate();
  }
}
