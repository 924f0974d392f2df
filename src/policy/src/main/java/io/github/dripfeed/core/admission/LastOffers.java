// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** The part of a walk that comes after all other attempts: what each line offers last, line by line. */
final class LastOffers<T> {

  private final List<AdmissionLine<T>> lines;
  private final String partition;
  private final long now;
  private int nextLine;
  /** The line whose attempts are walked; null before the first and after the last. */
  private AdmissionLine<T> line;
  private int offeredLast;
  private Iterator<QueuedAttempt<T>> attempts = Collections.emptyIterator();

  /** @param partition the partition of the node that the scheduler is about to use; null if none is */
  LastOffers(AdmissionLines<T> lines, String partition, long now) {
    this.lines = lines.all();
    this.partition = partition;
    this.now = now;
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
        line.passedAll(Math.max(offeredLast, offered), partition, now);
        line = null;
      }
      if (nextLine == lines.size()) {
        return null;
      }
      AdmissionLine<T> next = lines.get(nextLine++);
      if (next.hasLast()) {
        line = next;
        List<QueuedAttempt<T>> offer = line.last(now);
        offeredLast = offer.size();
        attempts = offer.iterator();
      }
    }
  }
}
