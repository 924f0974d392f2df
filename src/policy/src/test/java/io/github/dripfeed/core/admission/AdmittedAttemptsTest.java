// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class AdmittedAttemptsTest {

  private final AdmittedAttempts<String> admitted = new AdmittedAttempts<>();

  private static OrderKey key(int number) {
    return new OrderKey(0, 0, 1, number, 1);
  }

  private List<String> walk() {
    List<String> walk = new ArrayList<>();
    admitted.iterator().forEachRemaining(walk::add);
    return walk;
  }

  @Test
  void everyWalkShowsEveryChangeBeforeIt() {
    Random random = new Random(1);
    TreeMap<Integer, String> expected = new TreeMap<>();
    for (int step = 0; step < 20_000; step++) {
      int number = random.nextInt(30);
      if (random.nextInt(3) == 0) {
        admitted.remove(key(number));
        expected.remove(number);
      } else if (random.nextBoolean()) {
        admitted.put(key(number), "" + number);
        expected.put(number, "" + number);
      }
      for (int walks = random.nextInt(4); walks > 0; walks--) {
        assertThat(walk()).containsExactlyElementsOf(expected.values());
      }
    }
  }

  @Test
  void removedAttemptIsNotKeptInMemory() throws Exception {
    admitted.put(key(1), new String("first"));
    WeakReference<String> first = new WeakReference<>(admitted.iterator().next());
    for (int i = 0; i < 3; i++) {
      assertThat(walk()).hasSize(1);
    }

    admitted.remove(key(1));

    Eventually.is("it is collected", () -> {
      System.gc();
      return first.get() == null;
    });
  }

  /** A thread sees its own changes, whatever other threads walk and change meanwhile. */
  @Test
  void threadSeesItsOwnChanges() throws Exception {
    List<FutureTask<Boolean>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int own = thread;
      FutureTask<Boolean> task = new FutureTask<>(() -> {
        boolean isRight = true;
        for (int round = 0; round < 50_000; round++) {
          admitted.put(key(own), "" + own);
          isRight &= walk().contains("" + own);
          admitted.remove(key(own));
          isRight &= !walk().contains("" + own);
        }
        return isRight;
      });
      threads.add(task);
      new Thread(task).start();
    }
    for (FutureTask<Boolean> thread : threads) {
      assertThat(thread.get()).isTrue();
    }
  }
}
