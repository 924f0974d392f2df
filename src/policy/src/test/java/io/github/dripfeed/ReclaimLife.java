// SPDX-License-Identifier: Apache-2.0
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
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Applications whose demand changes. Under adversity they belong to several users and queues, and some
 * request hosts, or containers of another size. An epoch is the time between two changes of demand; the
 * containers that had to move are counted in each epoch.
 */
final class ReclaimLife {

  /** What makes reclaim harder. */
  enum Adversity {
    /** One user, one size, and no hosts; an application with less demand releases its surplus. */
    NONE,
    /** Several users, and containers of two sizes. */
    USERS,
    /** Several users, containers of two sizes, and requests for hosts. */
    HOSTS,
    /** Several users, requests for hosts and for a label, and memory, cores and GPUs that all count. */
    TYPES
  }

  /** The label that some request in {@link Adversity#TYPES}. */
  static final String LABEL = "labelled";
  /** The protected containers of an application: its driver and one executor. */
  static final int PROTECTED = 2;

  /** An application with its demand. */
  static final class Member {
    final MockApp app;
    final int priority;
    final Resource size;
    private final String label;
    private final boolean byPriority;
    private final List<String> hosts;
    private int executors;

    private Member(MockApp app, boolean byPriority, int priority, Resource size, String label,
        List<String> hosts) {
      this.app = app;
      this.byPriority = byPriority;
      this.priority = priority;
      this.size = size;
      this.label = label;
      this.hosts = hosts;
    }

    /** The number of containers that the application wants, including its driver. */
    int demand() {
      return 1 + executors;
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

  /** The number of containers that had to move in all epochs, since the first preemption of each. */
  int moved() {
    return moved;
  }

  /**
   * The number of containers that may be preempted beyond these under adversity: one for each receiver,
   * since a container may be larger than the request.
   */
  int allowance() {
    return allowance;
  }

  List<Integer> containers() {
    return members.stream().map(member -> member.app.containers()).toList();
  }

  /** Submits an application. It ends at once if it has got no driver after some rounds. */
  void arrive(String path) throws Exception {
    boolean isAdverse = adversity != Adversity.NONE;
    Resource size = size();
    String label = adversity == Adversity.TYPES && random.nextInt(4) == 0 ? LABEL : "";
    List<String> hosts = new ArrayList<>();
    if (adversity.compareTo(Adversity.HOSTS) >= 0 && label.isEmpty() && random.nextBoolean()) {
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
        new Member(app, !byShare && path.equals(MockCluster.DRIP), priority, size, label, hosts);
    members.add(member);
    epoch(ReclaimCluster.ROUNDS + 2);
    if (app.containers() == 0) {
      members.remove(member);
      app.kill();
      queue.forget(app);
    } else {
      app.register();
      member.executors = 1 + random.nextInt(25);
    }
  }

  private Resource size() {
    if (adversity == Adversity.TYPES) {
      Resource size = Resource.newInstance((1 + random.nextInt(2)) * GB, 1 + random.nextInt(3));
      size.setResourceValue(ResourceInformation.GPU_URI, random.nextInt(4) == 0 ? 1 : 0);
      return size;
    }
    boolean isLarge = adversity != Adversity.NONE && random.nextInt(3) == 0;
    return Resource.newInstance(isLarge ? 2 * GB : GB, 1);
  }

  /** Changes the demand of some applications. */
  void change() throws Exception {
    for (Member member : members) {
      if (random.nextBoolean()) {
        member.executors = 1 + random.nextInt(20);
      }
      int surplus = member.app.executors().size() - member.executors;
      if (adversity == Adversity.NONE && surplus > 0) {
        member.app.release(member.app.executors().subList(0, surplus));
      }
    }
    if (adversity == Adversity.NONE) {
      // The scheduler places what fits on free resources first.
      ask();
      queue.heartbeats();
    }
  }

  /** Ends one application. */
  void leave() throws Exception {
    Member member = members.remove(random.nextInt(members.size()));
    queue.forget(member.app);
    member.app.kill();
  }

  /** Runs rounds in which all applications keep requesting what they want. */
  void epoch(int rounds) throws Exception {
    queue.startEpoch();
    int lost = queue.lost();
    ReclaimMinimum.Snapshot before = snapshot();
    for (int round = 0; round < rounds; round++) {
      ask();
      queue.round();
      // Free resources are placed before the first preemption.
      before = queue.lost() == lost ? snapshot() : before;
      queue.heartbeats();
      before = queue.lost() == lost ? snapshot() : before;
    }
    ReclaimMinimum minimum = new ReclaimMinimum(before, snapshot());
    moved += minimum.fewer() + minimum.elsewhere();
    allowance += adversity == Adversity.NONE ? 0 : minimum.receivers();
  }

  private ReclaimMinimum.Snapshot snapshot() {
    Map<String, Resource> free = new HashMap<>();
    for (MockNM node : queue.cluster.nodes()) {
      free.put(node.getNodeId().getHost(), Resources.clone(
          queue.cluster.scheduler().getNode(node.getNodeId()).getUnallocatedResource()));
    }
    return new ReclaimMinimum.Snapshot(members, free);
  }

  private void ask() throws Exception {
    for (Member member : members) {
      if (member.app.isRegistered()) {
        ask(member);
      }
    }
  }

  private static void ask(Member member) throws Exception {
    int pending = Math.max(0, member.executors - member.app.executors().size());
    List<ResourceRequest> requests = new ArrayList<>();
    List<String> places = new ArrayList<>(member.hosts);
    if (!member.hosts.isEmpty()) {
      places.add("/default-rack");
    }
    places.add(ResourceRequest.ANY);
    for (String place : places) {
      ResourceRequest request = Requests.at(place, pending);
      request.setCapability(member.size);
      if (!member.label.isEmpty()) {
        request.setNodeLabelExpression(member.label);
      }
      requests.add(request);
    }
    member.app.ask(requests);
  }
}
