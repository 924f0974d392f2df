// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import java.util.Arrays;
import java.util.List;

/**
 * A copy of the attempts of a collection, which is used until the collection changes. Its owner counts the
 * changes.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> the type that represents an application attempt
 */
final class CopyUntilChange<T> {

  private static final class Copy<T> {
    final long changes;
    final List<T> attempts;

    Copy(long changes, List<T> attempts) {
      this.changes = changes;
      this.attempts = attempts;
    }
  }

  private volatile Copy<T> copy;

  /** The copy that was made at this number of changes, or null. Its iterators are read-only. */
  List<T> madeAt(long changes) {
    Copy<T> known = copy;
    return known != null && known.changes == changes ? known.attempts : null;
  }

  /**
   * Keeps a copy. It must not keep attempts in memory that were removed; see {@link #drop}.
   *
   * @param changes the number of changes before the copy was made
   * @return the same attempts
   */
  @SuppressWarnings("unchecked")
  List<T> keep(long changes, Object[] attempts) {
    List<T> made = (List<T>) Arrays.asList(attempts);
    copy = new Copy<>(changes, made);
    return made;
  }

  /** To be called after a removal, and after {@link #keep} if something changed while the copy was made. */
  void drop() {
    if (copy != null) {
      copy = null;
    }
  }
}
