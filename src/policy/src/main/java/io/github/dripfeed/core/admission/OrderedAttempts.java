// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Every attempt of a queue, held ones included, in order; a read-only view. An iteration shows each attempt
 * once that is in the queue while it begins, whatever moves meanwhile: a policy that takes over the queue
 * must miss none, and with fair shares an attempt may move to a place that the iteration has passed. So it
 * walks a copy, which is used again unless something has changed. YARN walks a queue when a node comes or
 * goes, or an operator does something; our monitor does in its rounds.
 */
final class OrderedAttempts<T> extends AbstractCollection<T> {

  private final Map<T, QueuedAttempt<T>> attempts;
  private final QueueLanes<T> lanes;
  /** Null if an attempt was removed since it was made: it is kept in memory no longer. */
  private List<T> copy;
  private long changes;

  /**
   * @param attempts every attempt
   * @param lanes the lanes in which they are
   */
  OrderedAttempts(Map<T, QueuedAttempt<T>> attempts, QueueLanes<T> lanes) {
    this.attempts = attempts;
    this.lanes = lanes;
  }

  void removed() {
    synchronized (lanes.lock()) {
      copy = null;
    }
  }

  @Override
  public Iterator<T> iterator() {
    synchronized (lanes.lock()) {
      if (copy == null || changes != lanes.changes()) {
        changes = lanes.changes();
        copy = Collections.unmodifiableList(lanes.isReplaced() ? takenOver() : lanes.inOrder());
      }
      return copy.iterator();
    }
  }

  /** Another ordering takes them over, and may walk along them more than once. */
  private List<T> takenOver() {
    return attempts.values().stream().sorted(Comparator.comparing(
        attempt -> attempt.lane == State.ACCEPTED ? attempt.submitted : attempt.admittedAt))
        .map(attempt -> attempt.item).collect(Collectors.toList());
  }

  @Override
  public int size() {
    return attempts.size();
  }

  @Override
  public boolean contains(Object item) {
    return attempts.containsKey(item);
  }

  @Override
  public boolean remove(Object item) {
    throw new UnsupportedOperationException("only the queue removes an attempt");
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException("only the queue removes an attempt");
  }
}
