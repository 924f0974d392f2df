// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.plan.QueueMemory;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;

/**
 * What is remembered of each queue, by its path: of all queues that exist, and of the last {@link
 * #VANISHED} that do not. YARN deletes the queue that it created for a user when the user has had no
 * application for some minutes, and what was learned counts when the user comes again the next day. It ends
 * with the scheduler. Safe for use by any thread; the lock is held for the time of a look-up.
 */
public final class QueueMemories {

  /** The number of paths without a queue that are remembered; those used last stay. */
  static final int VANISHED = 1000;

  private static final class Entry {
    private final QueueMemory memory = new QueueMemory();
    private WeakReference<CSQueue> queue;

    Entry(CSQueue queue) {
      this.queue = new WeakReference<>(queue);
    }
  }

  /** Of each scheduler, by its root queue, in the order of use. */
  private final Map<CSQueue, Map<String, Entry>> byRoot = new WeakHashMap<>();

  /** What is remembered of the queue. */
  public synchronized QueueMemory of(CSQueue queue) {
    CSQueue root = queue;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Map<String, Entry> byPath =
        byRoot.computeIfAbsent(root, r -> new LinkedHashMap<>(16, 0.75f, true));
    Entry known = byPath.get(queue.getQueuePath());
    if (known == null) {
      known = new Entry(queue);
      byPath.put(queue.getQueuePath(), known);
      forget(byPath);
    } else if (known.queue.get() != queue) {
      known.queue = new WeakReference<>(queue);
    }
    return known.memory;
  }

  private void forget(Map<String, Entry> byPath) {
    if (byPath.size() > VANISHED) {
      List<Entry> vanished = byPath.values().stream()
          .filter(entry -> entry.queue.get() == null).collect(Collectors.toList());
      byPath.values().removeAll(vanished.subList(0, Math.max(0, vanished.size() - VANISHED)));
    }
  }
}
