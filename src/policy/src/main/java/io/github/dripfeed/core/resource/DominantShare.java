// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.resource;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

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
    return largest(amounts::get);
  }

  /** The dominant share of the sum. */
  public double ofSum(ResourceAmounts one, ResourceAmounts other) {
    return largest(type -> one.get(type) + other.get(type));
  }

  /** The dominant share of the difference. */
  public double ofDifference(ResourceAmounts one, ResourceAmounts other) {
    return largest(type -> one.get(type) - other.get(type));
  }

  /** Compares as YARN's {@code DominantResourceCalculator}: where the largest shares tie, by the next. */
  public int compare(ResourceAmounts one, ResourceAmounts other) {
    int order = Double.compare(of(one), of(other));
    if (order != 0 || whole.length == 1) {
      return order;
    }
    double[] ofOne = sortedShares(one);
    double[] ofOther = sortedShares(other);
    for (int rank = whole.length - 1; order == 0 && rank >= 0; rank--) {
      order = Double.compare(ofOne[rank], ofOther[rank]);
    }
    return order;
  }

  private double[] sortedShares(ResourceAmounts amounts) {
    double[] shares = new double[whole.length];
    for (int type = 0; type < whole.length; type++) {
      shares[type] = whole[type] > 0 ? amounts.get(type) / whole[type] : 0;
    }
    Arrays.sort(shares);
    return shares;
  }

  public double of(double[] amounts) {
    return largest(type -> amounts[type]);
  }

  private double largest(IntToDoubleFunction amount) {
    double largest = 0;
    for (int type = 0; type < whole.length; type++) {
      if (whole[type] > 0) {
        largest = Math.max(largest, amount.applyAsDouble(type) / whole[type]);
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
