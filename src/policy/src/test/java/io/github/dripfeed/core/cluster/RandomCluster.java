// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.plan.Demand;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A random cluster with random applications, within the conditions under which all of them finish. */
final class RandomCluster {

  private static final int LONGEST = 100_000;
  private static final int LONGEST_START_UP = 20;
  private static final int LONGEST_WORK = 20;
  /** The monitor may be late for some rounds. */
  private static final int ROUNDS = 8;

  private final long seed;
  private final boolean tight;
  private final boolean crowded;
  private final Random random;
  private final boolean takeBack;
  private final boolean endless;
  private final int after;
  private final List<String> partitions;
  private final ResourceVector largest;
  private final int largestDriver;
  private final ModelCluster cluster;
  private final List<ModelLevel> parents = new ArrayList<>();
  private final int minExecutors;
  private final int queues;
  private final boolean once;
  private final boolean alike;
  private final long common;
  private final int startUp;
  private boolean changing;
  private ModelNode lost;
  private int number;

  /**
   * @param tight whether drivers that start by the estimate, which is low, would fill all nodes: without
   *     take-back, so that only the reserve can prevent it
   */
  RandomCluster(long seed, boolean tight) {
    this.seed = seed;
    this.tight = tight;
    random = new Random(seed);
    takeBack = !tight && random.nextInt(3) > 0;
    crowded = tight || takeBack && random.nextInt(3) > 0;
    endless = takeBack && random.nextInt(3) == 0;
    after = 5 + random.nextInt(26);
    partitions = random.nextInt(3) == 0 ? List.of("") : List.of("", "x");
    boolean gpus = random.nextBoolean();
    queues = crowded ? 2 + random.nextInt(2) : 1 + random.nextInt(4);
    largest = ResourceVector.of(4 + random.nextInt(25), gpus ? 1 + random.nextInt(2) : 0);
    minExecutors = random.nextInt(4) == 0 ? 2 : 1;
    largestDriver = 1 + random.nextInt(crowded ? 2 : 4);
    once = random.nextInt(3) == 0;
    alike = crowded || random.nextBoolean();
    common = crowded || random.nextBoolean() ? largest.get(0) : 1 + random.nextInt((int) largest.get(0));
    startUp = random.nextBoolean() ? LONGEST_START_UP : 1 + random.nextInt(LONGEST_START_UP);
    cluster = new ModelCluster(random, tight || random.nextBoolean() ? 1 : Integer.MAX_VALUE);
    addNodes();
    addQueues();
  }

  private int lines() {
    return queues * partitions.size();
  }

  /** The drivers of all slots, and all that never ends, fit on a node beside the first executors. */
  private int atLeast() {
    return (int) largest.get(0) * minExecutors + largestDriver * lines() + (endless ? 3 * 8 : 0);
  }

  private void addNodes() {
    for (String partition : partitions) {
      // One large node among small ones is not protected: the documented limit of the reserve.
      int large = 2 + random.nextInt(3);
      int spare = random.nextInt(crowded || random.nextInt(4) > 0 ? 4 : 30);
      for (int i = 0; i < large; i++) {
        cluster.nodes.add(new ModelNode(partition,
            ResourceVector.of(atLeast() + spare, 2 * minExecutors * largest.get(1))));
      }
      int small = random.nextInt(5);
      for (int i = 0; i < small; i++) {
        cluster.nodes.add(new ModelNode(partition, ResourceVector.of(4 + atLeast() / 2, 0)));
      }
    }
  }

  private ResourceVector total(String partition) {
    ResourceVector sum = ResourceVector.zero(ModelCluster.TYPES);
    for (ModelNode node : cluster.nodes) {
      sum = node.partition.equals(partition) ? sum.plus(node.total) : sum;
    }
    return sum;
  }

  /** A part of each partition, and no less than one node has. */
  private Map<String, ResourceVector> maximum(ModelLevel parent) {
    Map<String, ResourceVector> maximum = new TreeMap<>();
    for (String partition : partitions) {
      ResourceVector total = parent == null ? total(partition) : parent.maximum(partition);
      int least = (int) Math.min(total.get(0), atLeast());
      maximum.put(partition, parent == null || random.nextInt(3) == 0 ? total
          : ResourceVector.of(least + random.nextInt((int) total.get(0) - least + 1), total.get(1)));
    }
    return maximum;
  }

  private void addQueues() {
    ModelLevel root = new ModelLevel("root", null, maximum(null));
    int number = crowded ? 1 : 1 + random.nextInt(2);
    for (int i = 0; i < number; i++) {
      parents.add(new ModelLevel("p" + i, root, maximum(root)));
    }
    for (int i = 0; i < queues; i++) {
      ModelLevel parent = parents.get(random.nextInt(parents.size()));
      QueueSettings settings = new QueueSettings(1, 0, new AttemptSettings(1_000_000_000L, minExecutors))
          .withAuto(true);
      settings = takeBack
          ? settings.withTakeBack(after * 1000L) : settings;
      int limit = (int) (largestDriver * partitions.size() + (minExecutors - 1) * largest.get(0))
          + (endless ? 24 : 0);
      ModelQueue queue = new ModelQueue(new ModelLevel("q" + i, parent, maximum(parent)),
          ResourceVector.of(limit + random.nextInt(random.nextBoolean() ? 10 : 200), 1000), settings,
          cluster);
      cluster.add(queue);
      if (crowded || random.nextInt(4) > 0) {
        learnSmall(queue);
      }
      if (!takeBack || once) {
        // What cannot be taken back is safe only beside room for an executor that was seen.
        partitions.forEach(partition -> learn(queue, partition, largest, 1));
      }
    }
  }

  /** Applications with small executors were seen, so the estimate is low. */
  private void learnSmall(ModelQueue queue) {
    int most = crowded ? 1 : random.nextInt(3) > 0 ? 2 : (int) largest.get(0);
    for (String partition : partitions) {
      for (int i = 1 + random.nextInt(50); i > 0; i--) {
        learn(queue, partition, ResourceVector.of(1 + random.nextInt(most), 0), 1 + random.nextInt(3));
      }
    }
  }

  private void learn(ModelQueue queue, String partition, ResourceVector size, int count) {
    queue.memory.demands().wants(new Object(), partition, "", startUp(),
        List.of(new Demand(partition, size, count)), count, 0);
  }

  /** What cannot be taken back is never thought to want nothing. */
  private int startUp() {
    return 1000 * (takeBack && !once ? random.nextInt(LONGEST_START_UP) : LONGEST_START_UP);
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** A session: it holds executors, changes them, or requests nothing for ever. */
  private ModelJob endlessJob() {
    boolean changes = random.nextBoolean();
    changing |= changes;
    String partition = any(partitions);
    return new ModelJob(number++, any(cluster.queues), "user" + random.nextInt(3),
        new ModelJob.Sizes(ResourceVector.of(1, 0), partition, ResourceVector.of(1, 0), partition,
            random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(6)),
        new int[] {changes ? 2 : 1, 2, random.nextInt(60), 3 + random.nextInt(20)});
  }

  private ModelJob job() {
    String driver = any(partitions);
    ResourceVector executor = ResourceVector.of(
        alike ? common : 1 + random.nextInt((int) largest.get(0)),
        largest.get(1) > 0 && random.nextInt(3) == 0 ? 1 + random.nextInt((int) largest.get(1)) : 0);
    int wants = random.nextInt(6) == 0 ? 30 : crowded ? 1 + random.nextInt(5) : random.nextInt(6);
    return new ModelJob(number++, any(cluster.queues), "user" + random.nextInt(3),
        new ModelJob.Sizes(ResourceVector.of(
            largestDriver - (alike ? 0 : random.nextInt(largestDriver)), 0), driver, executor,
            random.nextInt(6) == 0 ? any(partitions) : driver, wants),
        new int[] {0, once && random.nextInt(3) == 0 ? 1 : 2 + random.nextInt(2), startUp,
            1 + random.nextInt(LONGEST_WORK)});
  }

  /** Until every application that ends has finished. */
  ModelCluster play() {
    for (int i = 0; endless && i < 3; i++) {
      cluster.submit(endlessJob());
    }
    for (int i = 0; endless && i < 120; i++) {
      cluster.step(true);
    }
    int applications = (crowded ? 30 : 5) + random.nextInt(60);
    boolean burst = crowded || random.nextInt(3) > 0;
    // Late losses only hide what stands still.
    boolean losing = !tight && random.nextInt(3) == 0;
    int losses = cluster.now + 300;
    int submitted = 0;
    cluster.lastEvent = cluster.now;
    while (submitted < applications || !cluster.isOver()) {
      while (submitted < applications && (burst || random.nextInt(4) == 0)) {
        cluster.submit(job());
        submitted++;
      }
      cluster.step(random.nextInt(8) > 0);
      loseOrReplace(losing && cluster.now < losses);
      assertThat(cluster.now - cluster.lastEvent).as(() -> describe()).isLessThan(1000);
      assertThat(cluster.now).as(() -> describe()).isLessThan(LONGEST);
    }
    assertThat(cluster.longestQuiet).as(() -> describe()).isLessThanOrEqualTo(longestQuiet());
    for (ModelJob job : cluster.jobs) {
      assertThat(job.takenBack).isLessThan(job.maxAttempts);
    }
    return cluster;
  }

  /** Nothing has to go on while a node is missing. */
  private void loseOrReplace(boolean mayLose) {
    if (lost == null && mayLose && random.nextInt(40) == 0) {
      ModelNode node = any(cluster.nodes);
      if (cluster.nodesIn(node.partition).count() > 1) {
        cluster.lose(node);
        lost = node;
      }
    } else if (lost != null) {
      cluster.lastEvent = cluster.now;
      if (random.nextInt(30) == 0) {
        cluster.nodes.add(new ModelNode(lost.partition, lost.total));
        lost = null;
      }
    }
  }

  /** The bounds of docs/take-back.md, in seconds. */
  private int longestQuiet() {
    int goesOn = Math.max(LONGEST_START_UP, LONGEST_WORK) + ROUNDS;
    int blocked = (changing ? 10 : 2) * after + ROUNDS;
    return takeBack ? Math.max(goesOn, blocked) : goesOn;
  }

  private String describe() {
    return "seed " + seed + " take-back " + takeBack + " endless " + endless + " after " + after
        + " min " + minExecutors + " largest " + largest + " quiet " + cluster.longestQuiet + "\n"
        + cluster.describe();
  }
}
