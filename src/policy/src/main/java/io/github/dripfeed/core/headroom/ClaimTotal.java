// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * The total of all claims of one plan on one level of the queue hierarchy: a leaf queue, a parent or the
 * root. Scheduling threads only compare it with the current headroom of that level. Changed under the lock
 * of the {@link HeadroomLedger}, read without.
 */
public final class ClaimTotal {

  private final Headroom headroom;
  /** By partition and resource type; replaced as a whole. */
  private volatile Map<String, ResourceVector> sum = Collections.emptyMap();

  /** @param headroom the current headroom of the level */
  public ClaimTotal(Headroom headroom) {
    this.headroom = headroom;
  }

  void add(String partition, ResourceVector amounts) {
    change(partition, amounts, ResourceVector::plus);
  }

  void subtract(String partition, ResourceVector amounts) {
    change(partition, amounts, ResourceVector::minus);
  }

  private void change(String partition, ResourceVector amounts, BinaryOperator<ResourceVector> how) {
    Map<String, ResourceVector> changed = new HashMap<>(sum);
    ResourceVector before = changed.getOrDefault(partition, ResourceVector.zero(amounts.types()));
    changed.put(partition, how.apply(before, amounts));
    sum = changed;
  }

  /** Whether the current headroom covers all claims in the partition. */
  boolean fits(String partition) {
    ResourceVector claimed = sum.get(partition);
    return claimed == null || headroom.has(partition, claimed);
  }
}
