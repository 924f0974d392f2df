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

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/**
 * Arithmetic and comparison of resource amounts. An array has the amount of each resource type that
 * counts.
 */
public final class ResourceVector {

  private ResourceVector() {
  }

  public static void add(long[] sum, long[] more) {
    for (int type = 0; type < sum.length; type++) {
      sum[type] += more[type];
    }
  }

  public static void subtract(long[] sum, long[] less) {
    for (int type = 0; type < sum.length; type++) {
      sum[type] -= less[type];
    }
  }

  public static long[] plus(long[] one, long[] other) {
    return each(one, other, Long::sum);
  }

  public static long[] minus(long[] one, long[] other) {
    return each(one, other, (amount, less) -> amount - less);
  }

  public static long[] times(long[] one, long count) {
    return Arrays.stream(one).map(amount -> amount * count).toArray();
  }

  /** The smaller amount of each type. */
  public static long[] componentwiseMin(long[] one, long[] other) {
    return each(one, other, Math::min);
  }

  /** The larger amount of each type. */
  public static long[] componentwiseMax(long[] one, long[] other) {
    return each(one, other, Math::max);
  }

  private static long[] each(long[] one, long[] other, LongBinaryOperator how) {
    long[] result = new long[one.length];
    Arrays.setAll(result, type -> how.applyAsLong(one[type], other[type]));
    return result;
  }

  /** Whether no amount in {@code small} exceeds that in {@code large}. */
  public static boolean fits(long[] small, long[] large) {
    for (int type = 0; type < small.length; type++) {
      if (small[type] > large[type]) {
        return false;
      }
    }
    return true;
  }

  public static boolean isNegative(long[] amounts) {
    for (long amount : amounts) {
      if (amount < 0) {
        return true;
      }
    }
    return false;
  }

  public static boolean isZero(long[] amounts) {
    for (long amount : amounts) {
      if (amount != 0) {
        return false;
      }
    }
    return true;
  }
}
