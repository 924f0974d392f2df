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
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Parts of plans in tests in which nothing is expected of applications beyond their first stages. */
final class PlanSteps {

  private PlanSteps() {
  }

  static QueuePlan.Headroom headroom(
      Function<String, PartitionHeadroom> partitions, IntSupplier types) {
    return new QueuePlan.Headroom(partitions, new DemandOutlook.Room() {
      @Override
      public ResourceVector limit(String partition) {
        return ResourceVector.of(types.getAsInt(), type -> Long.MAX_VALUE / 8);
      }

      @Override
      public ResourceVector used(String partition) {
        return ResourceVector.zero(types.getAsInt());
      }

      @Override
      public ResourceVector limitOf(String user, String partition) {
        return limit(partition);
      }

      @Override
      public ResourceVector usedBy(String user, String partition) {
        return used(partition);
      }
    });
  }

  static Supplier<StartNeeds> needs(Demand driver, List<Demand> firstStage) {
    return () -> new StartNeeds(driver, firstStage, List.of(), true);
  }
}
