// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import io.github.dripfeed.core.resource.DominantShare;
import io.github.dripfeed.core.resource.ResourceAmounts;
import io.github.dripfeed.core.resource.ResourceVector;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The resource types that a scheduler counts: all of them with the dominant resource calculator, memory
 * alone otherwise.
 */
public final class CountedResources {

  private final boolean all;

  public CountedResources(ResourceCalculator calculator) {
    all = calculator instanceof DominantResourceCalculator;
  }

  /** The number of types that count. */
  public int count() {
    return all ? ResourceUtils.getNumberOfKnownResourceTypes() : 1;
  }

  /** The amount of each type that counts. */
  public ResourceVector amounts(Resource resource) {
    if (!all) {
      return ResourceVector.of(resource.getMemorySize());
    }
    ResourceInformation[] types = resource.getResources();
    return ResourceVector.of(types.length, type -> types[type].getValue());
  }

  /** Whether these are the amounts of the resource; allocates nothing. */
  public boolean isEqual(ResourceVector amounts, Resource resource) {
    if (!all) {
      return amounts.get(0) == resource.getMemorySize();
    }
    ResourceInformation[] types = resource.getResources();
    for (int type = 0; type < amounts.types(); type++) {
      if (amounts.get(type) != types[type].getValue()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the amounts fit into {@code total} less {@code used}; allocates nothing. */
  boolean fits(ResourceVector amounts, Resource total, Resource used) {
    if (!all) {
      return amounts.get(0) <= total.getMemorySize() - used.getMemorySize();
    }
    ResourceInformation[] ofTotal = total.getResources();
    ResourceInformation[] ofUsed = used.getResources();
    for (int type = 0; type < amounts.types(); type++) {
      if (amounts.get(type) > ofTotal[type].getValue() - ofUsed[type].getValue()) {
        return false;
      }
    }
    return true;
  }

  /** Whether what is used is above the limit, as the calculator compares, once so much is released. */
  Predicate<ResourceAmounts> isAbove(
      ResourceCalculator calculator, Resource cluster, ResourceVector used, Resource limit) {
    return released ->
        Resources.greaterThan(calculator, cluster, resource(used.minus(released)), limit);
  }

  /** A resource with these amounts; types that do not count are 0. */
  public Resource resource(ResourceVector amounts) {
    Resource resource = Resource.newInstance(amounts.get(0), 0);
    for (int type = 1; type < amounts.types(); type++) {
      resource.setResourceValue(type, amounts.get(type));
    }
    return resource;
  }

  /** Measures dominant shares of the cluster. */
  public DominantShare measure(Resource cluster) {
    return new DominantShare(amounts(cluster));
  }
}
