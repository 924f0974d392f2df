// SPDX-License-Identifier: Apache-2.0
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
