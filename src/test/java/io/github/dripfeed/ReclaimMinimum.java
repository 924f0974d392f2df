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

import io.github.dripfeed.ReclaimLife.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;

/**
 * How many containers had to move between two looks: as many as those have fewer who lost any. By priority,
 * a host that a more urgent application names may have to be left by one that takes another elsewhere
 * instead: as far as those who have fewer in the end did not hold enough there.
 */
final class ReclaimMinimum {

  /** Where things are at one time; all in GB or in numbers of containers, by host. */
  static final class Look {
    private final List<Member> members;
    private final List<Map<String, Integer>> held = new ArrayList<>();
    private final List<Map<String, Integer>> losable = new ArrayList<>();
    private final Map<String, Integer> free;

    /** @param free how many GB are free on each host */
    Look(List<Member> members, Map<String, Integer> free) {
      this.members = new ArrayList<>(members);
      this.free = free;
      for (Member member : members) {
        List<RMContainer> all = member.app.attempt() == null ? List.of()
            : member.app.attempt().getLiveContainers().stream()
                .sorted(Comparator.comparing(RMContainer::getContainerId)).toList();
        held.add(byHost(all));
        losable.add(byHost(all.subList(Math.min(ReclaimLife.KEPT, all.size()), all.size())));
      }
    }

    private static Map<String, Integer> byHost(List<RMContainer> containers) {
      Map<String, Integer> byHost = new HashMap<>();
      containers.forEach(
          container -> byHost.merge(container.getAllocatedNode().getHost(), 1, Integer::sum));
      return byHost;
    }

    int count(int member) {
      return held.get(member).values().stream().mapToInt(count -> count).sum();
    }
  }

  private final Look before;
  private final Look after;

  ReclaimMinimum(Look before, Look after) {
    this.before = before;
    this.after = after;
  }

  /** How many containers fewer those have who lost any. */
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

  /** How many got something. */
  int receivers() {
    int receivers = 0;
    for (int i = 0; i < before.members.size(); i++) {
      receivers += after.count(i) > before.count(i) ? 1 : 0;
    }
    return receivers;
  }

  /** How many had to go elsewhere, by priority. */
  int elsewhere() {
    Map<String, Integer> needed = new HashMap<>();
    before.free.keySet().forEach(host -> needed.put(host, needed(host)));
    int room = needed.values().stream().mapToInt(need -> need).sum() - coverable(needed);
    List<Integer> moved = new ArrayList<>();
    for (int i = 0; i < before.members.size(); i++) {
      int lost = 0;
      for (String host : before.free.keySet()) {
        lost += Math.max(0, at(before.held, i, host) - at(after.held, i, host));
      }
      for (int one = fewer(i); before.members.get(i).isByPriority() && one < lost; one++) {
        moved.add(before.members.get(i).size / GB);
      }
    }
    moved.sort(Comparator.reverseOrder());
    int elsewhere = 0;
    for (int one = 0; one < moved.size() && room > 0; one++) {
      room -= moved.get(one);
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
        && at(after.held, member, host) > at(before.held, member, host);
  }

  /** How much had to become free on a host for those who named it. */
  private int needed(String host) {
    int gained = 0;
    for (int i = 0; i < before.members.size(); i++) {
      if (isGainedOn(host, i)) {
        gained += (at(after.held, i, host) - at(before.held, i, host)) * before.members.get(i).size / GB;
      }
    }
    return Math.max(0, gained - before.free.get(host));
  }

  /** How much of it those could lose there who have fewer in the end: the largest flow is the least cut. */
  private int coverable(Map<String, Integer> needed) {
    List<String> hosts = new ArrayList<>(needed.keySet());
    int least = Integer.MAX_VALUE;
    for (int cut = 0; cut < 1 << hosts.size(); cut++) {
      int flow = 0;
      for (int host = 0; host < hosts.size(); host++) {
        flow += (cut & 1 << host) != 0 ? needed.get(hosts.get(host)) : 0;
      }
      for (int i = 0; i < before.members.size(); i++) {
        int there = 0;
        for (int host = 0; host < hosts.size(); host++) {
          there += (cut & 1 << host) == 0 && givesWayOn(hosts.get(host), i)
              ? at(before.losable, i, hosts.get(host)) : 0;
        }
        flow += Math.min(fewer(i), there) * before.members.get(i).size / GB;
      }
      least = Math.min(least, flow);
    }
    return least;
  }

  private boolean givesWayOn(String host, int member) {
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
