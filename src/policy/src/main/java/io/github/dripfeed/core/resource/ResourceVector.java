// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.resource;

import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** The value type of resource amounts. Immutable. */
public final class ResourceVector extends ResourceAmounts {

  /** @param amounts not copied */
  ResourceVector(long[] amounts) {
    super(amounts);
  }

  /** @param amounts by resource type */
  public static ResourceVector of(long... amounts) {
    return new ResourceVector(amounts.clone());
  }

  /** @param amount returns the amount of a resource type by its index */
  public static ResourceVector of(int types, IntToLongFunction amount) {
    long[] amounts = new long[types];
    Arrays.setAll(amounts, amount);
    return new ResourceVector(amounts);
  }

  public static ResourceVector zero(int types) {
    return new ResourceVector(new long[types]);
  }

  public ResourceVector plus(ResourceAmounts more) {
    return each(more, Long::sum);
  }

  public ResourceVector minus(ResourceAmounts less) {
    return each(less, (amount, of) -> amount - of);
  }

  public ResourceVector times(long count) {
    return each(amount -> amount * count);
  }

  /** How many of these amounts there are in the free ones; 0 if this is nothing. */
  public long countIn(ResourceAmounts free) {
    long count = Long.MAX_VALUE;
    for (int type = 0; type < amounts.length; type++) {
      if (amounts[type] > 0) {
        count = Math.min(count, Math.max(0, free.amounts[type]) / amounts[type]);
      }
    }
    return count == Long.MAX_VALUE ? 0 : count;
  }

  /** The smaller amount of each type. */
  public ResourceVector componentwiseMin(ResourceAmounts other) {
    return each(other, Math::min);
  }

  /** The larger amount of each type. */
  public ResourceVector componentwiseMax(ResourceAmounts other) {
    return each(other, Math::max);
  }

  /** The result of the function for each amount. */
  public ResourceVector each(LongUnaryOperator function) {
    long[] result = new long[amounts.length];
    Arrays.setAll(result, type -> function.applyAsLong(amounts[type]));
    return new ResourceVector(result);
  }

  private ResourceVector each(ResourceAmounts other, LongBinaryOperator function) {
    long[] result = new long[amounts.length];
    Arrays.setAll(result, type -> function.applyAsLong(amounts[type], other.amounts[type]));
    return new ResourceVector(result);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof ResourceVector && Arrays.equals(amounts, ((ResourceVector) other).amounts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(amounts);
  }
}
