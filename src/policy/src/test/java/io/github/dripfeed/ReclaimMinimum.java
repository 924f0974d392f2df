// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;


import io.github.dripfeed.ReclaimLife.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * The number of containers that had to move between two snapshots: the number by which all losers together
 * have fewer. By priority, a container may also have to leave a host that a more urgent application names,
 * and be replaced elsewhere. It had to only if the applications that have fewer containers in the end did
 * not have enough on that host.
 */
final class ReclaimMinimum {

  /** The containers of all applications and the free resources at one time, by host. */
  static final class Snapshot {
    private final List<Member> members;
    private final List<Map<String, Integer>> containers = new ArrayList<>();
    private final List<Map<String, Integer>> preemptible = new ArrayList<>();
    private final Map<String, Resource> free;

    /** @param free what is free on each host */
    Snapshot(List<Member> members, Map<String, Resource> free) {
      this.members = new ArrayList<>(members);
      this.free = free;
      for (Member member : members) {
        List<RMContainer> all = member.app.attempt() == null ? List.of()
            : member.app.attempt().getLiveContainers().stream()
                .sorted(Comparator.comparing(RMContainer::getContainerId)).toList();
        containers.add(byHost(all));
        preemptible.add(byHost(all.subList(Math.min(ReclaimLife.PROTECTED, all.size()), all.size())));
      }
    }

    private static Map<String, Integer> byHost(List<RMContainer> all) {
      Map<String, Integer> byHost = new HashMap<>();
      all.forEach(
          container -> byHost.merge(container.getAllocatedNode().getHost(), 1, Integer::sum));
      return byHost;
    }

    int count(int member) {
      return containers.get(member).values().stream().mapToInt(count -> count).sum();
    }
  }

  private final Snapshot before;
  private final Snapshot after;

  ReclaimMinimum(Snapshot before, Snapshot after) {
    this.before = before;
    this.after = after;
  }

  /** The number by which all losers together have fewer containers. */
  int fewer() {
    int fewer = 0;
    for (int i = 0; i < before.members.size(); i++) {
      fewer += fewer(i);
    }
    return fewer;
  }

  private int fewer(int member) {
    return Math.max(0, before.count(member) - after.count(member));
  }

  /** The number of applications that have more containers than before. */
  int receivers() {
    int receivers = 0;
    for (int i = 0; i < before.members.size(); i++) {
      receivers += after.count(i) > before.count(i) ? 1 : 0;
    }
    return receivers;
  }

  /** The number of containers that had to be replaced elsewhere, by priority. */
  int elsewhere() {
    return IntStream.range(0, ResourceUtils.getNumberOfKnownResourceTypes()).map(this::elsewhere)
        .max().getAsInt();
  }

  /** The same, as far as the resource type tells. */
  private int elsewhere(int type) {
    Map<String, Integer> needed = new HashMap<>();
    before.free.keySet().forEach(host -> needed.put(host, needed(host, type)));
    int uncovered = needed.values().stream().mapToInt(need -> need).sum() - coverable(needed, type);
    List<Integer> moved = new ArrayList<>();
    for (int i = 0; i < before.members.size(); i++) {
      int lost = 0;
      for (String host : before.free.keySet()) {
        lost += Math.max(0, at(before.containers, i, host) - at(after.containers, i, host));
      }
      for (int one = fewer(i); before.members.get(i).isByPriority() && one < lost; one++) {
        moved.add(size(i, type));
      }
    }
    moved.sort(Comparator.reverseOrder());
    int elsewhere = 0;
    for (int one = 0; one < moved.size() && uncovered > 0; one++) {
      uncovered -= moved.get(one);
      elsewhere++;
    }
    return elsewhere;
  }

  private static int at(List<Map<String, Integer>> all, int member, String host) {
    return all.get(member).getOrDefault(host, 0);
  }

  private boolean isGainedOn(String host, int member) {
    Member receiver = before.members.get(member);
    return receiver.isByPriority() && receiver.app.isRegistered() && receiver.names(host)
        && at(after.containers, member, host) > at(before.containers, member, host);
  }

  private int size(int member, int type) {
    return amount(before.members.get(member).size, type);
  }

  private static int amount(Resource of, int type) {
    return (int) of.getResourceInformation(type).getValue();
  }

  /** The amount that had to become free on a host for applications that name it. */
  private int needed(String host, int type) {
    int gained = 0;
    for (int i = 0; i < before.members.size(); i++) {
      if (isGainedOn(host, i)) {
        gained += (at(after.containers, i, host) - at(before.containers, i, host))
            * size(i, type);
      }
    }
    return Math.max(0, gained - amount(before.free.get(host), type));
  }

  /**
   * The amount of it that applications with fewer containers in the end could lose there: a maximum flow,
   * computed as a minimum cut.
   */
  private int coverable(Map<String, Integer> needed, int type) {
    List<String> hosts = new ArrayList<>(needed.keySet());
    int smallest = Integer.MAX_VALUE;
    for (int cut = 0; cut < 1 << hosts.size(); cut++) {
      int flow = 0;
      for (int host = 0; host < hosts.size(); host++) {
        flow += (cut & 1 << host) != 0 ? needed.get(hosts.get(host)) : 0;
      }
      for (int i = 0; i < before.members.size(); i++) {
        int there = 0;
        for (int host = 0; host < hosts.size(); host++) {
          there += (cut & 1 << host) == 0 && mayLoseOn(hosts.get(host), i)
              ? at(before.preemptible, i, hosts.get(host)) : 0;
        }
        flow += Math.min(fewer(i), there) * size(i, type);
      }
      smallest = Math.min(smallest, flow);
    }
    return smallest;
  }

  private boolean mayLoseOn(String host, int member) {
    if (!before.members.get(member).isByPriority()) {
      return false;
    }
    for (int i = 0; i < before.members.size(); i++) {
      if (isGainedOn(host, i) && before.members.get(i).priority <= before.members.get(member).priority) {
        return false;
      }
    }
    return true;
  }
}
