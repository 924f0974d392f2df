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

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * Merges those admitted, but for those that hold as much as they may, with the few that are offered
 * besides, by place, and ends with those stalled.
 *
 * <p>Of those admitted it looks at nothing but who they are: on a full queue a scheduler walks
 * thousands of them, again and again.
 *
 * @param <T> what stands for an application attempt
 */
final class OfferIterator<T> implements Iterator<T> {

  private final NavigableMap<Place, T> admitted;
  private final Iterator<T> admittedInOrder;
  private final Predicate<T> isFull;
  private final List<Entry<T>> offered;
  private final List<Iterable<Entry<T>>> tails;
  private T nextAdmitted;
  private int nextOffered;
  /** Whom the next one offered comes before; null if it comes after all that are admitted. */
  private T behindOffered;
  private int nextTail;
  private Iterator<Entry<T>> stalled;
  private T next;

  /**
   * @param isFull whether one that is admitted is left out; null if none is
   * @param offered accepted attempts, in order
   * @param tails what comes after everything else, each in order
   */
  OfferIterator(NavigableMap<Place, T> admitted, Predicate<T> isFull, List<Entry<T>> offered,
      List<Iterable<Entry<T>>> tails) {
    this.admitted = admitted;
    this.admittedInOrder = admitted.values().iterator();
    this.isFull = isFull;
    this.offered = offered;
    this.tails = tails;
    this.nextAdmitted = admittedInOrder.hasNext() ? admittedInOrder.next() : null;
    findPlaceOfOffered();
    this.next = merge();
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public T next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    T item = next;
    next = merge();
    return item;
  }

  private T merge() {
    while (true) {
      if (nextOffered < offered.size()
          && (nextAdmitted == null || nextAdmitted == behindOffered)) {
        T item = offered.get(nextOffered++).item;
        findPlaceOfOffered();
        return item;
      }
      if (nextAdmitted == null) {
        return nextStalled();
      }
      T item = nextAdmitted;
      nextAdmitted = admittedInOrder.hasNext() ? admittedInOrder.next() : null;
      if (!isOffered(item) && (isFull == null || !isFull.test(item))) {
        return item;
      }
    }
  }

  private void findPlaceOfOffered() {
    if (nextOffered < offered.size() && nextAdmitted != null) {
      Map.Entry<Place, T> behind = admitted.ceilingEntry(offered.get(nextOffered).submitted);
      behindOffered = behind == null ? null : behind.getValue();
    }
  }

  /** Whether it was accepted when the offer was made: it has its driver by now, and comes but once. */
  private boolean isOffered(T item) {
    for (int i = 0; i < offered.size(); i++) {
      if (offered.get(i).item == item) {
        return true;
      }
    }
    return false;
  }

  private T nextStalled() {
    while (true) {
      while (stalled != null && stalled.hasNext()) {
        Entry<T> entry = stalled.next();
        // One that got its driver since then stands among those admitted.
        if (entry.history.state() == State.ACCEPTED) {
          return entry.item;
        }
      }
      if (nextTail == tails.size()) {
        return null;
      }
      stalled = tails.get(nextTail++).iterator();
    }
  }
}
