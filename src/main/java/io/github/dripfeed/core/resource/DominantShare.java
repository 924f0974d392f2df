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
 * How much an amount of resources is, as one number: the largest part of the whole that it is of any
 * type. Immutable.
 */
public final class DominantShare {

  private final double[] whole;

  /** @param whole what is the whole, by type of resource; types of which there is none do not count */
  public DominantShare(long[] whole) {
    this.whole = new double[whole.length];
    for (int type = 0; type < whole.length; type++) {
      this.whole[type] = whole[type];
    }
  }

  /** How much this is. */
  public double of(long[] amounts) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, amounts[type] / whole[type]);
      }
    }
    return largest;
  }

  /** How much both are together. */
  public double ofSum(long[] one, long[] other) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, (one[type] + other[type]) / whole[type]);
      }
    }
    return largest;
  }

  /** How much is left of one without the other. */
  public double ofDifference(long[] one, long[] other) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, (one[type] - other[type]) / whole[type]);
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

  /** Whether amounts of one type are all there is: then what is measured adds up. */
  public boolean addsUp() {
    return whole.length == 1;
  }

  /** The largest part of {@code rest}, from 0 to 1, with which {@code base} measures no more than this. */
  public double largestPart(long[] base, long[] rest, double most) {
    double part = 1;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0 && rest[type] > 0) {
        part = Math.min(part, (most * whole[type] - base[type]) / rest[type]);
      }
    }
    return Math.max(0, part);
  }
}
