// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * What is remembered of each queue, by its path: of all queues that exist, and of the last {@link
 * #VANISHED} that do not. YARN deletes the queue that it created for a user when the user has had no
 * application for some minutes, and what was learned counts when the user comes again the next day. It ends
 * with the scheduler. Safe for use by any thread.
 *
 * @param <V> what is remembered; must reference no queue
 */
public final class QueueMemories<V> {

  /** The number of paths without a queue that are remembered; those used last stay. */
  static final int VANISHED = 1000;

  private static final class Entry<V> {
    private final V memory;
    private WeakReference<CSQueue> queue;

    Entry(V memory, CSQueue queue) {
      this.memory = memory;
      this.queue = new WeakReference<>(queue);
    }
  }

  private final Supplier<V> nothing;
  /** Of each scheduler, by its root queue, in the order of use. */
  private final Map<CSQueue, Map<String, Entry<V>>> byRoot = new WeakHashMap<>();

  /** @param nothing makes what is remembered at first */
  public QueueMemories(Supplier<V> nothing) {
    this.nothing = nothing;
  }

  /** What is remembered of the queue. */
  public synchronized V of(CSQueue queue) {
    CSQueue root = queue;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Map<String, Entry<V>> byPath =
        byRoot.computeIfAbsent(root, r -> new LinkedHashMap<>(16, 0.75f, true));
    Entry<V> known = byPath.get(queue.getQueuePath());
    if (known == null) {
      known = new Entry<>(nothing.get(), queue);
      byPath.put(queue.getQueuePath(), known);
      forget(byPath);
    } else if (known.queue.get() != queue) {
      known.queue = new WeakReference<>(queue);
    }
    return known.memory;
  }

  private void forget(Map<String, Entry<V>> byPath) {
    if (byPath.size() > VANISHED) {
      List<Entry<V>> vanished = byPath.values().stream()
          .filter(entry -> entry.queue.get() == null).collect(Collectors.toList());
      byPath.values().removeAll(vanished.subList(0, Math.max(0, vanished.size() - VANISHED)));
    }
  }
}
