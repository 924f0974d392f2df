/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.yarn;

import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;

/** Finds YARN's object for the application of an attempt. Safe for use by any thread. */
public final class RmApps {

  private RmApps() {
  }

  /** The application of an attempt; null if YARN does not know it, or not any more. Takes no lock. */
  public static RMApp of(SchedulerApplicationAttempt app) {
    RMContext context = app.getAppSchedulingInfo().getRMContext();
    return context == null ? null : context.getRMApps().get(app.getApplicationId());
  }
}
