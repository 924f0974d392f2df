// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.admission.AdmissionListener;
import io.github.dripfeed.core.admission.QueueOrder;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.plan.QueueMemory;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.HashMap;
import java.util.Map;

/** A leaf queue of the model, with the real order, and limits for its users. */
final class ModelQueue {

  final ModelLevel level;
  final QueueOrder<ModelAttempt> order;
  final QueueMemory memory = new QueueMemory();
  final ResourceVector userLimit;
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

  ResourceVector usedBy(String user, String partition) {
    return usedBy.getOrDefault(user + " " + partition, ResourceVector.zero(ModelCluster.TYPES));
  }

  void use(String user, String partition, ResourceVector amounts) {
    usedBy.merge(user + " " + partition, amounts, ResourceVector::plus);
    level.path().forEach(each -> each.use(partition, amounts));
  }

  double share(String partition) {
    return (double) level.used(partition).get(0) / Math.max(1, level.maximum(partition).get(0));
  }
}
