// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** The part of a walk that comes after all other attempts: what each line offers last, line by line. */
final class LastOffers<T> {

  private final List<Offer<T>> offers;
  private final String partition;
  private final Questions<T> questions;
  private int nextLine;
  /** The line whose attempts are walked; null before the first and after the last. */
  private Offer<T> line;
  private int offeredLast;
  private Iterator<QueuedAttempt<T>> attempts = Collections.emptyIterator();

  /** @param partition the partition of the node that the scheduler is about to use; null if none is */
  LastOffers(List<Offer<T>> offers, String partition, Questions<T> questions) {
    this.offers = offers;
    this.partition = partition;
    this.questions = questions;
  }

  /**
   * The next attempt; null if there are no more.
   *
   * @param offered the number of attempts that the walk offered at their positions
   */
  QueuedAttempt<T> next(int offered) {
    while (true) {
      while (attempts.hasNext()) {
        QueuedAttempt<T> attempt = attempts.next();
        // An attempt that got its driver since then is among the admitted ones.
        if (attempt.history.state() == State.ACCEPTED) {
          return attempt;
        }
      }
      if (line != null) {
        line.given().passedAll(Math.max(offeredLast, offered), partition, questions.now);
        line = null;
      }
      if (nextLine == offers.size()) {
        return null;
      }
      Offer<T> next = offers.get(nextLine++);
      if (next.hasLast()) {
        line = next;
        List<QueuedAttempt<T>> late = line.last(questions);
        offeredLast = late.size();
        attempts = late.iterator();
      }
    }
  }
}
