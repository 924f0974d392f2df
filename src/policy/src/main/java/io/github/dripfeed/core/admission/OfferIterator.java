// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Iterates over the admitted attempts, except those at {@code max-containers}, merged in order with the
 * few accepted attempts that are offered, and then over those offered last.
 *
 * <p>Without {@code max-containers} it reads no facts of admitted attempts, because on a full queue a
 * scheduler walks thousands of them repeatedly. It is lazy: a call for the next attempt means that the
 * scheduler has not placed the previous one.
 */
final class OfferIterator<T> implements Iterator<T> {

  /** Up to this number, looking through the list is faster than making a set. */
  private static final int FEW = 10;

  private final AdmittedAttempts<T> admitted;
  private final Iterator<T> admittedInOrder;
  private final Predicate<T> isFull;
  private final Lifecycle<T> lifecycle;
  private final Offer<T> offer;
  private final String partition;
  private final Questions<T> questions;
  private List<QueuedAttempt<T>> offered;
  private boolean isOfferOwn;
  /** The same as a set, once they are many; else null. */
  private Set<T> offeredItems;
  /** The users whose limit this walk has met and had to know, of each line; null while there are none. */
  private Map<Line<T>, Set<String>> atLimit;
  private T nextAdmitted;
  private int nextOffered;
  /** The admitted attempt that comes right after the next offered one; null if none does. */
  private T afterOffered;
  /** The accepted attempt returned last; the next one is determined only if the walk continues. */
  private QueuedAttempt<T> returned;
  /** The attempt of those after all others that was returned last. */
  private QueuedAttempt<T> returnedLast;
  /** The lines whose attempts after all others are still to come; null until the walk has come there. */
  private List<Line<T>> linesLast;
  private int nextLine;
  /** The line whose attempts are walked last now; null if none is. */
  private Line<T> lineLast;
  private List<QueuedAttempt<T>> offeredLast = Collections.emptyList();
  private int nextLast;
  private T next;
  /**
   * How often this walk has failed. After the first time, what was offered already is merged, and no more
   * is decided. After the second, only the admitted attempts follow, and after the third, nothing.
   */
  private int failures;

  /**
   * @param isFull whether an admitted attempt is skipped; null if none is
   * @param partition the partition of the node that the scheduler is about to use; null if none is
   */
  OfferIterator(Lifecycle<T> lifecycle, Offer<T> offer, Predicate<T> isFull, String partition,
      Questions<T> questions) {
    this.admitted = lifecycle.lanes.admitted;
    this.lifecycle = lifecycle;
    this.offer = offer;
    this.isFull = isFull;
    this.partition = partition;
    this.questions = questions;
    // Before the admitted attempts are read, because the offer may admit a waiting attempt.
    this.offered = offers();
    this.admittedInOrder = admitted.iterator();
    takeAdmitted();
    findAfterOffered();
  }

  private List<QueuedAttempt<T>> offers() {
    List<Line<T>> lines = lifecycle.upToDate(questions);
    if (lines.size() == 1) {
      return inPlace(lines.get(0));
    }
    List<QueuedAttempt<T>> all = new ArrayList<>(lines.size());
    for (Line<T> line : lines) {
      all.addAll(inPlace(line));
    }
    all.sort(LateOffer.BY_PLACE);
    return all;
  }

  /** If the rule fails in one line, other lines decide for themselves. */
  private List<QueuedAttempt<T>> inPlace(Line<T> line) {
    try {
      return offer.inPlace(line, partition, questions);
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return offer.inAnyCase(line);
    }
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = mergeInAnyCase();
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    T item = next;
    next = null;
    return item;
  }

  private void failed(Throwable failure) {
    failures++;
    lifecycle.failed(failure);
  }

  private T mergeInAnyCase() {
    while (failures < 3) {
      try {
        return failures < 2 ? merge() : takeAdmitted();
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      }
    }
    return null;
  }

  /** @return the next admitted attempt, which is passed now; null if there are no more */
  private T takeAdmitted() {
    T taken = nextAdmitted;
    nextAdmitted = null;
    nextAdmitted = admittedInOrder.hasNext() ? admittedInOrder.next() : null;
    return taken;
  }

  private T merge() {
    if (returned != null && failures == 0) {
      QueuedAttempt<T> tried = returned;
      returned = null;
      offer.cameBack(tried, questions);
      QueuedAttempt<T> behind =
          offer.mayOfferBehind(tried) ? offer.behind(tried, atLimit(tried), questions) : null;
      if (behind != null && !isOffered(behind.item)) {
        insert(behind);
      }
    }
    while (true) {
      if (nextOffered < offered.size()
          && (nextAdmitted == null || nextAdmitted == afterOffered)) {
        QueuedAttempt<T> attempt = offered.get(nextOffered);
        boolean accepted = attempt.history.state() == State.ACCEPTED;
        boolean given = accepted ? failures > 0 || give(attempt, false) : isServed(attempt.item);
        nextOffered++;
        findAfterOffered();
        if (given) {
          returned = accepted ? attempt : null;
          return attempt.item;
        }
        continue;
      }
      if (nextAdmitted == null) {
        return failures > 0 ? null : nextOfLast();
      }
      // Passed after the question, so that it is in the walk if that fails.
      boolean given = !isOffered(nextAdmitted) && isServed(nextAdmitted);
      T item = takeAdmitted();
      if (given) {
        return item;
      }
    }
  }

  private boolean isServed(T item) {
    return failures > 0 || isFull == null || !isFull.test(item);
  }

  /** @param last whether it is offered after all others */
  private boolean give(QueuedAttempt<T> attempt, boolean last) {
    return offer.give(attempt, last, partition, questions);
  }

  private Set<String> atLimit(QueuedAttempt<T> tried) {
    atLimit = atLimit == null ? new HashMap<>() : atLimit;
    return atLimit.computeIfAbsent(lifecycle.line(tried), line -> new HashSet<>());
  }

  private void insert(QueuedAttempt<T> attempt) {
    if (!isOfferOwn) {
      // It may be shared, as that of one attempt is.
      offered = new ArrayList<>(offered);
      isOfferOwn = true;
    }
    int at = nextOffered;
    while (at < offered.size() && offered.get(at).offeredAt.compareTo(attempt.offeredAt) < 0) {
      at++;
    }
    offered.add(at, attempt);
    if (offeredItems != null) {
      offeredItems.add(attempt.item);
    }
    findAfterOffered();
  }

  private void findAfterOffered() {
    if (nextOffered < offered.size() && nextAdmitted != null) {
      afterOffered = admitted.atOrBehind(offered.get(nextOffered).offeredAt);
    }
  }

  /** Whether the attempt is part of the offer: if it got its driver since then, it appears only once. */
  private boolean isOffered(T item) {
    if (offeredItems == null && offered.size() > FEW) {
      offeredItems = Collections.newSetFromMap(new IdentityHashMap<>());
      offered.forEach(attempt -> offeredItems.add(attempt.item));
    }
    if (offeredItems != null) {
      return offeredItems.contains(item);
    }
    for (int i = 0; i < offered.size(); i++) {
      if (offered.get(i).item == item) {
        return true;
      }
    }
    return false;
  }

  private T nextOfLast() {
    if (linesLast == null) {
      linesLast = lifecycle.lanes.lines();
    }
    if (returnedLast != null) {
      offer.cameBack(returnedLast, questions);
    }
    do {
      returnedLast = nextLast();
    } while (returnedLast != null && (isOffered(returnedLast.item) || !give(returnedLast, true)));
    return returnedLast == null ? null : returnedLast.item;
  }

  /** The next one of what each line offers after all other attempts, line by line. */
  private QueuedAttempt<T> nextLast() {
    while (true) {
      while (nextLast < offeredLast.size()) {
        QueuedAttempt<T> attempt = offeredLast.get(nextLast++);
        // An attempt that got its driver since then is among the admitted ones.
        if (attempt.history.state() == State.ACCEPTED) {
          return attempt;
        }
      }
      if (lineLast != null) {
        offer.passedAll(lineLast, Math.max(offeredLast.size(), offered.size()), partition,
            questions.now);
        lineLast = null;
      }
      if (nextLine == linesLast.size()) {
        return null;
      }
      Line<T> line = linesLast.get(nextLine++);
      if (offer.hasLast(line)) {
        lineLast = line;
        offeredLast = offer.last(line, questions);
        nextLast = 0;
      }
    }
  }
}
