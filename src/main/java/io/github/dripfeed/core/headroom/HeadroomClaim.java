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

import java.util.Map;

/**
 * What an attempt in its early stage is expected to need of what is free, as a plan has it. With a
 * driver in it the claim is a pass: it lets an accepted attempt start though no slot is free.
 */
public final class HeadroomClaim {

  final String partition;
  /** Null where it is allocated. */
  final long[] driver;
  final Map<String, long[]> firstStage;

  private HeadroomClaim(String partition, long[] driver, Map<String, long[]> firstStage) {
    this.partition = partition;
    this.driver = driver;
    this.firstStage = firstStage;
  }

  /**
   * Of one that is starting.
   *
   * @param firstStage what its executors are expected to need yet, by partition and type of resource
   */
  public static HeadroomClaim ofStarting(Map<String, long[]> firstStage) {
    return new HeadroomClaim(null, null, firstStage);
  }

  /**
   * Of one that may start.
   *
   * @param partition of its driver
   * @param driver what that needs, by type of resource
   * @param firstStage what its executors are expected to need, by partition and type of resource
   */
  public static HeadroomClaim toStart(String partition, long[] driver, Map<String, long[]> firstStage) {
    return new HeadroomClaim(partition, driver, firstStage);
  }

  boolean isPass() {
    return driver != null;
  }
}
