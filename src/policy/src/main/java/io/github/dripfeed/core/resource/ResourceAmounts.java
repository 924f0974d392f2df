// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.resource;

import java.util.Arrays;

/**
 * An amount of each resource type that counts: a {@link ResourceVector}, which never changes, or a
 * {@link ResourceSum}, a running total. Amounts that are compared or combined have the same types.
 */
public abstract class ResourceAmounts {

  final long[] amounts;

  /** @param amounts by resource type; not copied */
  ResourceAmounts(long[] amounts) {
    this.amounts = amounts;
  }

  /** The number of resource types. */
  public final int types() {
    return amounts.length;
  }

  public final long get(int type) {
    return amounts[type];
  }

  /** Whether no amount exceeds that of {@code limit}. */
  public final boolean fitsIn(ResourceAmounts limit) {
    for (int type = 0; type < amounts.length; type++) {
      if (amounts[type] > limit.amounts[type]) {
        return false;
      }
    }
    return true;
  }

  /** Whether no amount exceeds that of both together; allocates nothing. */
  public final boolean fitsInSum(ResourceAmounts one, ResourceAmounts other) {
    for (int type = 0; type < amounts.length; type++) {
      if (amounts[type] > one.amounts[type] + other.amounts[type]) {
        return false;
      }
    }
    return true;
  }

  public final boolean isZero() {
    for (long amount : amounts) {
      if (amount != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether any amount is below 0. */
  public final boolean isNegative() {
    for (long amount : amounts) {
      if (amount < 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public final String toString() {
    return Arrays.toString(amounts);
  }
}
