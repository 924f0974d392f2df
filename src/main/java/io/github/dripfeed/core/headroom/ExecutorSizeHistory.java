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
 * The executor sizes that the last 50 applications of a queue have requested, separately for each
 * partition of the driver. The expected size for an application without requests is the maximum of each
 * resource type. An estimate that is too large delays a start; one that is too small leaves a driver
 * waiting.
 */
public final class ExecutorSizeHistory {

  static final int REMEMBERED = 50;

  private final Map<String, Map<Object, Map<String, ResourceVector>>> byDriverPartition = new HashMap<>();

  /**
   * Records the size of a container that an application requests or holds.
   *
   * @param application the identity of the application; must not reference anything else
   * @param driverPartition the partition of its driver
   * @param partition the partition of the container
   */
  public void add(Object application, String driverPartition, String partition, ResourceVector size) {
    Map<Object, Map<String, ResourceVector>> applications =
        byDriverPartition.computeIfAbsent(driverPartition, p -> lastApplications());
    applications.computeIfAbsent(application, a -> new HashMap<>())
        .merge(partition, size, ExecutorSizeHistory::largest);
  }

  /**
   * The expected size of an executor whose driver is in the partition, keyed by the partition of the
   * executor; empty if nothing was recorded.
   *
   * @param types the number of resource types that count now; sizes recorded with another number are
   *     ignored
   */
  public Map<String, ResourceVector> expected(String driverPartition, int types) {
    Map<String, ResourceVector> expected = new HashMap<>();
    Map<Object, Map<String, ResourceVector>> applications = byDriverPartition.get(driverPartition);
    if (applications != null) {
      for (Map<String, ResourceVector> seen : applications.values()) {
        seen.forEach((partition, size) -> {
          if (size.types() == types) {
            expected.merge(partition, size, ExecutorSizeHistory::largest);
          }
        });
      }
    }
    return expected;
  }

  private static ResourceVector largest(ResourceVector one, ResourceVector other) {
    return one.types() == other.types() ? one.componentwiseMax(other) : other;
  }

  private static <V> Map<Object, V> lastApplications() {
    return new LinkedHashMap<Object, V>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Object, V> eldest) {
        return size() > REMEMBERED;
      }
    };
  }
}
