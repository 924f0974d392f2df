// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.resource;

/**
 * A running total of resource amounts, which changes in place and allocates nothing. Only its owner
 * changes it; others who keep the amounts take a copy. Used by one thread.
 */
public final class ResourceSum extends ResourceAmounts {

  /** A total of 0. */
  public ResourceSum(int types) {
    super(new long[types]);
  }

  /** @param start copied */
  public ResourceSum(ResourceAmounts start) {
    super(start.amounts.clone());
  }

  public void add(ResourceAmounts more) {
    for (int type = 0; type < amounts.length; type++) {
      amounts[type] += more.amounts[type];
    }
  }

  /** Adds the amounts so many times. */
  public void add(ResourceAmounts more, long count) {
    for (int type = 0; type < amounts.length; type++) {
      amounts[type] += more.amounts[type] * count;
    }
  }

  public void subtract(ResourceAmounts less) {
    for (int type = 0; type < amounts.length; type++) {
      amounts[type] -= less.amounts[type];
    }
  }

  /** Reduces each amount to that of the limit; a negative limit leaves none. */
  public void limitTo(ResourceAmounts limit) {
    for (int type = 0; type < amounts.length; type++) {
      amounts[type] = Math.min(amounts[type], Math.max(0, limit.amounts[type]));
    }
  }

  /** Replaces the amount of one type. */
  public void set(int type, long amount) {
    amounts[type] = amount;
  }

  /** The total as it is now. */
  public ResourceVector toVector() {
    return new ResourceVector(amounts.clone());
  }
}
