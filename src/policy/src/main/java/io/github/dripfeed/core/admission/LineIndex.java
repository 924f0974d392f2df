// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of all queues of a group that compete for the same slots, in the order in which they came. A
 * line is referenced weakly: its ordering may be replaced without notice. Used with the lock of the group.
 *
 * @param <T> the type that represents an application attempt
 */
final class LineIndex<T> {

  private final List<WeakReference<WaitingAttempts<T>>> lines = new ArrayList<>();

  /** An attempt waits in the line. */
  void join(WaitingAttempts<T> line) {
    if (lines.stream().noneMatch(known -> known.get() == line)) {
      lines.add(new WeakReference<>(line));
    }
  }

  /** The line may belong to no ordering any more; it joins again once an attempt comes. */
  void leave(WaitingAttempts<T> line) {
    lines.removeIf(known -> known.get() == line);
  }

  /** All of them; one may be empty. */
  List<WaitingAttempts<T>> all() {
    List<WaitingAttempts<T>> present = new ArrayList<>(lines.size());
    lines.removeIf(known -> known.get() == null);
    for (WeakReference<WaitingAttempts<T>> known : lines) {
      WaitingAttempts<T> line = known.get();
      if (line != null) {
        present.add(line);
      }
    }
    return present;
  }

  /** Whether an attempt has stalled, and has trials, in a line other than this one; null for any line. */
  boolean isAnyStalledBeside(WaitingAttempts<T> own) {
    for (WeakReference<WaitingAttempts<T>> known : lines) {
      WaitingAttempts<T> line = known.get();
      if (line != null && line != own && line.hasTrials()) {
        return true;
      }
    }
    return false;
  }
}
