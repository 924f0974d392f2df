/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.resource;

/**
 * Measures resource amounts as one number, the dominant share: the largest fraction of the total over all
 * resource types. Immutable.
 */
public final class DominantShare {

  private final double[] whole;

  /** @param whole the amounts that are a share of 1, by resource type; types with amount 0 do not count */
  public DominantShare(ResourceAmounts whole) {
    this.whole = new double[whole.types()];
    for (int type = 0; type < this.whole.length; type++) {
      this.whole[type] = whole.get(type);
    }
  }

  /** The dominant share of these amounts. */
  public double of(ResourceAmounts amounts) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, amounts.get(type) / whole[type]);
      }
    }
    return largest;
  }

  /** The dominant share of the sum. */
  public double ofSum(ResourceAmounts one, ResourceAmounts other) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, (one.get(type) + other.get(type)) / whole[type]);
      }
    }
    return largest;
  }

  /** The dominant share of the difference. */
  public double ofDifference(ResourceAmounts one, ResourceAmounts other) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, (one.get(type) - other.get(type)) / whole[type]);
      }
    }
    return largest;
  }

  public double of(double[] amounts) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, amounts[type] / whole[type]);
      }
    }
    return largest;
  }

  /** Whether shares can be added, which holds for a single resource type. */
  public boolean addsUp() {
    return whole.length == 1;
  }

  /**
   * The largest fraction of {@code rest}, from 0 to 1, that can be added to {@code base} within a limit
   * on the dominant share.
   */
  public double largestPart(ResourceAmounts base, ResourceAmounts rest, double limit) {
    double fraction = 1;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0 && rest.get(type) > 0) {
        fraction = Math.min(fraction, (limit * whole[type] - base.get(type)) / rest.get(type));
      }
    }
    return Math.max(0, fraction);
  }
}
