// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.junit.jupiter.api.Test;

/** What is remembered of more queues than are remembered. */
class QueueMemoriesTest {

  private final CSQueue root = queue("root", null);
  private final QueueMemories memories = new QueueMemories();

  private static CSQueue queue(String path, CSQueue parent) {
    return (CSQueue) Proxy.newProxyInstance(CSQueue.class.getClassLoader(), new Class<?>[] {CSQueue.class},
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "getQueuePath":
              return path;
            case "getParent":
              return parent;
            case "hashCode":
              return System.identityHashCode(proxy);
            case "equals":
              return proxy == arguments[0];
            default:
              throw new UnsupportedOperationException(method.getName());
          }
        });
  }

  @Test
  void queuesThatExistAreRememberedWhateverTheirNumber() {
    List<CSQueue> queues = new ArrayList<>();
    List<Object> known = new ArrayList<>();
    for (int i = 0; i < 2 * QueueMemories.VANISHED; i++) {
      queues.add(queue("root.q" + i, root));
      known.add(memories.of(queues.get(i)));
    }
    System.gc();
    for (int i = 0; i < queues.size(); i++) {
      assertThat(memories.of(queues.get(i))).isSameAs(known.get(i));
    }
  }

  @Test
  void ofThoseThatVanishedTheLastThousandAreRemembered() {
    Object first = memories.of(queue("root.q0", root));
    Object later = memories.of(queue("root.q1", root));
    for (int i = 2; i < QueueMemories.VANISHED; i++) {
      memories.of(queue("root.q" + i, root));
    }
    assertThat(memories.of(queue("root.q1", root))).isSameAs(later);
    for (int i = 0; i < 10; i++) {
      memories.of(queue("root.more" + i, root));
    }
    System.gc();
    memories.of(queue("root.last", root));
    assertThat(memories.of(queue("root.q1", root))).as("used last").isSameAs(later);
    assertThat(memories.of(queue("root.q0", root))).as("the eldest").isNotSameAs(first);
  }

  @Test
  void anotherSchedulerRemembersNothing() {
    Object known = memories.of(queue("root.q", root));
    assertThat(memories.of(queue("root.q", queue("root", null)))).isNotSameAs(known);
    assertThat(memories.of(queue("root.q", root))).isSameAs(known);
  }
}
