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
import java.util.Map;

/**
 * The resources that an attempt is expected to need until it is running, according to a plan. A claim
 * with a driver is a pass: it lets an accepted attempt start although no slot is free.
 */
public final class HeadroomClaim {

  final String partition;
  /** The size of the driver; null if the driver is already allocated. */
  final ResourceVector driver;
  final Map<String, ResourceVector> firstStage;

  private HeadroomClaim(String partition, ResourceVector driver, Map<String, ResourceVector> firstStage) {
    this.partition = partition;
    this.driver = driver;
    this.firstStage = firstStage;
  }

  /**
   * The claim of a starting attempt.
   *
   * @param firstStage the resources that its missing executors are expected to need, by partition and
   *     resource type
   */
  public static HeadroomClaim ofStarting(Map<String, ResourceVector> firstStage) {
    return new HeadroomClaim(null, null, firstStage);
  }

  /**
   * The claim of an accepted attempt that may start.
   *
   * @param partition the partition of its driver
   * @param driver the size of its driver, by resource type
   * @param firstStage the resources that its first executors are expected to need, by partition and
   *     resource type
   */
  public static HeadroomClaim toStart(String partition, ResourceVector driver,
      Map<String, ResourceVector> firstStage) {
    return new HeadroomClaim(partition, driver, firstStage);
  }

  boolean isPass() {
    return driver != null;
  }
}
