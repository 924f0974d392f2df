// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.AdmissionListener;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.headroom.DemandHistory;
import io.github.dripfeed.core.headroom.DemandOutlook;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.Map;

/** A leaf queue of the model, with the real order, and limits for its users. */
final class ModelQueue implements DemandOutlook.Room {

  final ModelLevel level;
  final QueueOrder<ModelAttempt> order;
  final DemandHistory seen = new DemandHistory();
  private final ResourceVector userLimit;
  private final Map<String, ResourceVector> usedBy = new HashMap<>();

  ModelQueue(ModelLevel level, ResourceVector userLimit, QueueSettings settings,
      AdmissionListener<ModelAttempt> listener) {
    this.level = level;
    this.userLimit = userLimit;
    this.order = new QueueOrder<>(settings, listener);
  }

  /** As YARN: a user gets one more container unless it is above its limit. */
  boolean isUserBelowLimit(String user, String partition) {
    return usedBy(user, partition).fitsIn(userLimit);
  }

  void use(String user, String partition, ResourceVector amounts) {
    usedBy.merge(user + " " + partition, amounts, ResourceVector::plus);
    level.path().forEach(each -> each.use(partition, amounts));
  }

  double share(String partition) {
    return (double) level.used(partition).get(0) / Math.max(1, level.maximum(partition).get(0));
  }

  @Override
  public ResourceVector limit(String partition) {
    ResourceVector free = null;
    for (ModelLevel each : level.path()) {
      free = free == null ? each.free(partition) : free.componentwiseMin(each.free(partition));
    }
    return free.plus(used(partition));
  }

  @Override
  public ResourceVector used(String partition) {
    return level.used(partition);
  }

  @Override
  public ResourceVector limitOf(String user, String partition) {
    return userLimit;
  }

  @Override
  public ResourceVector usedBy(String user, String partition) {
    return usedBy.getOrDefault(user + " " + partition, ResourceVector.zero(ModelCluster.TYPES));
  }
}
