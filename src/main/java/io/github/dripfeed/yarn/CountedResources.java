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

import io.github.dripfeed.core.resource.DominantShare;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

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
  public long[] amounts(Resource resource) {
    if (!all) {
      return new long[] {resource.getMemorySize()};
    }
    ResourceInformation[] types = resource.getResources();
    long[] amounts = new long[types.length];
    for (int type = 0; type < amounts.length; type++) {
      amounts[type] = types[type].getValue();
    }
    return amounts;
  }

  /** Reads the amount of each type that counts; allocates nothing. */
  public void read(Resource resource, long[] amounts) {
    if (!all) {
      amounts[0] = resource.getMemorySize();
      return;
    }
    ResourceInformation[] types = resource.getResources();
    for (int type = 0; type < amounts.length; type++) {
      amounts[type] = types[type].getValue();
    }
  }

  /** Whether the amounts fit into the rest of {@code total} beside {@code used}; allocates nothing. */
  boolean fits(long[] amounts, Resource total, Resource used) {
    if (!all) {
      return amounts[0] <= total.getMemorySize() - used.getMemorySize();
    }
    ResourceInformation[] ofTotal = total.getResources();
    ResourceInformation[] ofUsed = used.getResources();
    for (int type = 0; type < amounts.length; type++) {
      if (amounts[type] > ofTotal[type].getValue() - ofUsed[type].getValue()) {
        return false;
      }
    }
    return true;
  }

  /** A resource with these amounts; types that do not count are 0. */
  public Resource resource(long[] amounts) {
    Resource resource = Resource.newInstance(amounts[0], 0);
    for (int type = 1; type < amounts.length; type++) {
      resource.setResourceValue(type, amounts[type]);
    }
    return resource;
  }

  /** Measures dominant shares of the cluster. */
  public DominantShare measure(Resource cluster) {
    return new DominantShare(amounts(cluster));
  }
}
