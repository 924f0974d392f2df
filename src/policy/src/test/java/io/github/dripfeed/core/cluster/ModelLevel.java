// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A queue or parent queue of the model: its maximum and usage in each partition. */
final class ModelLevel {

  final String name;
  final ModelLevel parent;
  private final Map<String, ResourceVector> maximum;
  private final Map<String, ResourceVector> used = new HashMap<>();

  /** @param parent null for the root */
  ModelLevel(String name, ModelLevel parent, Map<String, ResourceVector> maximum) {
    this.name = name;
    this.parent = parent;
    this.maximum = maximum;
  }

  ResourceVector maximum(String partition) {
    return maximum.get(partition);
  }

  ResourceVector used(String partition) {
    return used.getOrDefault(partition, ResourceVector.zero(ModelCluster.TYPES));
  }

  ResourceVector free(String partition) {
    return maximum(partition).minus(used(partition));
  }

  void use(String partition, ResourceVector amounts) {
    used.put(partition, used(partition).plus(amounts));
  }

  /** It and all its ancestors. */
  List<ModelLevel> path() {
    List<ModelLevel> path = new ArrayList<>();
    for (ModelLevel level = this; level != null; level = level.parent) {
      path.add(level);
    }
    return path;
  }
}
