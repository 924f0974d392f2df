// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
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
 *
 * @param <T> the type that represents an application attempt
 */
final class OrderedAttempts<T> extends AbstractCollection<T> {

  private final Map<T, QueuedAttempt<T>> attempts;
  private final AdmissionLanes<T> lanes;
  private final CopyUntilChange<T> copy = new CopyUntilChange<>();

  /**
   * @param attempts every attempt
   * @param lanes the lanes in which they are, in order
   */
  OrderedAttempts(Map<T, QueuedAttempt<T>> attempts, AdmissionLanes<T> lanes) {
    this.attempts = attempts;
    this.lanes = lanes;
  }

  /** An attempt was removed: it is kept in memory no longer. */
  void removed() {
    copy.drop();
  }

  @Override
  public Iterator<T> iterator() {
    QueueChanges changes = lanes.changes();
    long before = changes.count();
    if (before == QueueChanges.UNDER_WAY) {
      return sorted().iterator();
    }
    List<T> known = copy.madeAt(before);
    if (known != null) {
      return known.iterator();
    }
    Object[] made = allInOrder();
    // The sizes differ while a new attempt is in no lane yet. Compared first: without a change in between,
    // no attempt was removed, which could make up for it.
    if (made.length != attempts.size() || changes.count() != before) {
      return sorted().iterator();
    }
    Iterator<T> walk = copy.keep(before, made).iterator();
    if (changes.count() != before) {
      copy.drop();
    }
    return walk;
  }

  /**
   * From the set of attempts: during a change one may be in two lanes, or in none that is read. By item,
   * since one may be removed and added again meanwhile.
   */
  private List<T> sorted() {
    Map<T, OrderKey> keys = new HashMap<>();
    attempts.forEach((item, attempt) ->
        keys.put(item, attempt.lane == State.ACCEPTED ? attempt.submitted : attempt.admittedAt));
    List<Map.Entry<T, OrderKey>> places = new ArrayList<>(keys.entrySet());
    places.sort(Map.Entry.comparingByValue());
    return Collections.unmodifiableList(
        places.stream().map(Map.Entry::getKey).collect(Collectors.toList()));
  }

  private Object[] allInOrder() {
    if (lanes.isNoneWaiting()) {
      return lanes.admitted().inOrder();
    }
    List<Map.Entry<OrderKey, T>> places = lanes.places(attempts.size());
    Object[] items = new Object[places.size()];
    for (int i = 0; i < items.length; i++) {
      items[i] = places.get(i).getValue();
    }
    return items;
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
