/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;

import io.github.dripfeed.fixture.MockApp;
import io.github.dripfeed.fixture.MockCluster;
import io.github.dripfeed.fixture.ReclaimCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;

/**
 * Applications whose demand changes; under adversity they are of several users and queues, and some ask
 * for hosts, or for containers of two sizes. Between two changes it is counted how many containers were
 * lost, and how many had to move.
 */
final class ReclaimLife {

  /** What is against them. */
  enum Adversity {
    /** One user, one size, and no hosts; and who wants less gives back what it has too much. */
    NONE,
    /** Several users, and containers of two sizes. */
    USERS,
    /** Also hosts. */
    HOSTS
  }

  /** Containers that an application keeps in any case: its driver and one executor. */
  static final int KEPT = 2;

  /** An application, and how many executors it wants. */
  static final class Member {
    final MockApp app;
    final int priority;
    final int size;
    private final boolean byPriority;
    private final List<String> hosts;
    private int wants;

    private Member(MockApp app, boolean byPriority, int priority, int size, List<String> hosts) {
      this.app = app;
      this.byPriority = byPriority;
      this.priority = priority;
      this.size = size;
      this.hosts = hosts;
    }

    /** The driver included. */
    int demand() {
      return 1 + wants;
    }

    boolean isByPriority() {
      return byPriority;
    }

    boolean names(String host) {
      return hosts.contains(host);
    }
  }

  private final ReclaimCluster queue;
  private final Random random;
  private final Adversity adversity;
  private final boolean byShare;
  private final List<Member> members = new ArrayList<>();
  private int moved;
  private int allowance;

  ReclaimLife(ReclaimCluster queue, Random random, Adversity adversity, boolean byShare) {
    this.queue = queue;
    this.random = random;
    this.adversity = adversity;
    this.byShare = byShare;
  }

  List<Member> members() {
    return members;
  }

  /** How many containers had to move, since the first was taken in each epoch. */
  int moved() {
    return moved;
  }

  /**
   * How many more than those may be taken, under adversity: one for each who got something, since a
   * container may be larger than what is asked for.
   */
  int allowance() {
    return allowance;
  }

  List<Integer> containers() {
    return members.stream().map(member -> member.app.containers()).toList();
  }

  /** Another application arrives, and has its driver at the end, or is gone again. */
  void arrive(String path) throws Exception {
    boolean isAdverse = adversity != Adversity.NONE;
    int size = isAdverse && random.nextInt(3) == 0 ? 2 * GB : GB;
    List<String> hosts = new ArrayList<>();
    if (adversity == Adversity.HOSTS && random.nextBoolean()) {
      for (int i = 0; i < 2; i++) {
        hosts.add(queue.cluster.node(random.nextInt(queue.cluster.nodes().size()))
            .getNodeId().getHost());
      }
    }
    String user = "user" + (isAdverse ? random.nextInt(3) : 0);
    int priority = random.nextInt(4);
    MockApp app = queue.submit(queue.cluster.submission(GB).withQueue(path).withUser(user)
        .withPriority(priority));
    Member member =
        new Member(app, !byShare && path.equals(MockCluster.DRIP), priority, size, hosts);
    members.add(member);
    epoch(ReclaimCluster.ROUNDS + 2);
    if (app.containers() == 0) {
      members.remove(member);
      app.kill();
      queue.forget(app);
    } else {
      app.register();
      member.wants = 1 + random.nextInt(25);
    }
  }

  /** Some want more, or less, than before. */
  void change() throws Exception {
    for (Member member : members) {
      if (random.nextBoolean()) {
        member.wants = 1 + random.nextInt(20);
      }
      int surplus = member.app.executors().size() - member.wants;
      if (adversity == Adversity.NONE && surplus > 0) {
        member.app.release(member.app.executors().subList(0, surplus));
      }
    }
    if (adversity == Adversity.NONE) {
      // What is free goes to them first, as the scheduler has it.
      ask();
      queue.heartbeats();
    }
  }

  /** One of them comes to its end. */
  void leave() throws Exception {
    Member member = members.remove(random.nextInt(members.size()));
    queue.forget(member.app);
    member.app.kill();
  }

  /** Rounds in which all go on to ask for what they want. */
  void epoch(int rounds) throws Exception {
    queue.demandChanges();
    int lost = queue.lost();
    ReclaimMinimum.Look before = look();
    for (int round = 0; round < rounds; round++) {
      ask();
      queue.round();
      // What is free they have before anything is taken.
      before = queue.lost() == lost ? look() : before;
      queue.heartbeats();
      before = queue.lost() == lost ? look() : before;
    }
    ReclaimMinimum minimum = new ReclaimMinimum(before, look());
    moved += minimum.fewer() + minimum.elsewhere();
    allowance += adversity == Adversity.NONE ? 0 : minimum.receivers();
  }

  private ReclaimMinimum.Look look() {
    Map<String, Integer> free = new HashMap<>();
    for (MockNM node : queue.cluster.nodes()) {
      free.put(node.getNodeId().getHost(), (int) (queue.cluster.scheduler().getNode(node.getNodeId())
          .getUnallocatedResource().getMemorySize() / GB));
    }
    return new ReclaimMinimum.Look(members, free);
  }

  private void ask() throws Exception {
    for (Member member : members) {
      if (member.app.isRegistered()) {
        ask(member);
      }
    }
  }

  private static void ask(Member member) throws Exception {
    int more = Math.max(0, member.wants - member.app.executors().size());
    List<ResourceRequest> requests = new ArrayList<>();
    for (String host : member.hosts) {
      requests.add(Requests.at(host, more, member.size));
    }
    if (!member.hosts.isEmpty()) {
      requests.add(Requests.at("/default-rack", more, member.size));
    }
    requests.add(Requests.at(ResourceRequest.ANY, more, member.size));
    member.app.ask(requests);
  }
}
