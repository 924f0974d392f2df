/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What sizes of executors the applications of a queue have been seen to ask for: the last 50, those
 * whose drivers are in different partitions apart. What is expected of one that has not asked yet is
 * the largest of them, of each type of resource: too much is a start put off, too little a driver that
 * waits.
 */
public final class ExecutorSizeHistory {

  static final int REMEMBERED = 50;

  private final Map<String, Map<Object, Map<String, long[]>>> byDriverPartition = new HashMap<>();

  /**
   * An application was seen to ask for a container, or to have one.
   *
   * @param application what it is known by; must not keep anything else alive
   * @param driverPartition where its driver is
   * @param partition where it asks for the container
   */
  public void saw(Object application, String driverPartition, String partition, long[] size) {
    Map<Object, Map<String, long[]>> applications =
        byDriverPartition.computeIfAbsent(driverPartition, p -> ofTheLast());
    applications.computeIfAbsent(application, a -> new HashMap<>())
        .merge(partition, size.clone(), ExecutorSizeHistory::largest);
  }

  /**
   * The size that is expected of an executor whose driver is in the partition, by the partitions that
   * they were asked for in; empty if nothing was seen.
   *
   * @param types how many types of resource count now; what was seen when others did is left out
   */
  public Map<String, long[]> expected(String driverPartition, int types) {
    Map<String, long[]> expected = new HashMap<>();
    Map<Object, Map<String, long[]>> applications = byDriverPartition.get(driverPartition);
    if (applications != null) {
      for (Map<String, long[]> seen : applications.values()) {
        seen.forEach((partition, size) -> {
          if (size.length == types) {
            expected.merge(partition, size, ExecutorSizeHistory::largest);
          }
        });
      }
    }
    return expected;
  }

  private static long[] largest(long[] one, long[] other) {
    return one.length == other.length ? ResourceVector.most(one, other) : other;
  }

  private static <V> Map<Object, V> ofTheLast() {
    return new LinkedHashMap<Object, V>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Object, V> eldest) {
        return size() > REMEMBERED;
      }
    };
  }
}
