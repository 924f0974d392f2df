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
import java.util.NoSuchElementException;

/**
 * Merges those admitted, but for those that hold as much as they may, with the few that are offered
 * besides, by place, and ends with those stalled.
 *
 * @param <T> what stands for an application attempt
 */
final class OfferIterator<T> implements Iterator<T> {

  private final Lifecycle<T> lifecycle;
  private final long now;
  private final Iterator<Entry<T>> admitted;
  private final List<Entry<T>> offered;
  private final List<Iterable<Entry<T>>> tails;
  private Entry<T> nextAdmitted;
  private int nextOffered;
  private int nextTail;
  private Iterator<Entry<T>> stalled;
  private Entry<T> next;

  /**
   * @param admitted in order
   * @param offered accepted attempts, in order
   * @param tails what comes after everything else, each in order
   */
  OfferIterator(Lifecycle<T> lifecycle, long now, Iterator<Entry<T>> admitted,
      List<Entry<T>> offered, List<Iterable<Entry<T>>> tails) {
    this.lifecycle = lifecycle;
    this.now = now;
    this.admitted = admitted;
    this.offered = offered;
    this.tails = tails;
    this.nextAdmitted = admitted.hasNext() ? admitted.next() : null;
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
    T item = next.item;
    next = merge();
    return item;
  }

  private Entry<T> merge() {
    while (true) {
      Entry<T> head = nextOffered < offered.size() ? offered.get(nextOffered) : null;
      if (head != null
          && (nextAdmitted == null || head.submitted.compareTo(nextAdmitted.admittedAt()) <= 0)) {
        nextOffered++;
        return head;
      }
      if (nextAdmitted == null) {
        return nextStalled();
      }
      Entry<T> entry = nextAdmitted;
      nextAdmitted = admitted.hasNext() ? admitted.next() : null;
      if (!isOffered(entry) && !lifecycle.isFull(entry, now)) {
        return entry;
      }
    }
  }

  /** Whether it was accepted when the offer was made: it has its driver by now, and comes but once. */
  private boolean isOffered(Entry<T> entry) {
    for (int i = 0; i < offered.size(); i++) {
      if (offered.get(i) == entry) {
        return true;
      }
    }
    return false;
  }

  private Entry<T> nextStalled() {
    while (true) {
      while (stalled != null && stalled.hasNext()) {
        Entry<T> entry = stalled.next();
        // One that got its driver since then stands among those admitted.
        if (entry.history.state() == State.ACCEPTED) {
          return entry;
        }
      }
      if (nextTail == tails.size()) {
        return null;
      }
      stalled = tails.get(nextTail++).iterator();
    }
  }
}
