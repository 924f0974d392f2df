// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Room for the largest executors on the nodes of a partition, or below the limit of a queue or user, which
 * stays free while a driver could not be taken back. Read when it is first needed. Used by one
 * thread.
 */
public final class Reserve {

  private final Supplier<List<SafetyReserve>> read;
  private List<SafetyReserve> shapes;
  /** The drivers of which the shapes do not know yet. */
  private final List<ResourceVector> added = new ArrayList<>();
  private boolean kept;

  /** @param read the shapes, with what comes free when applications with executors end */
  public Reserve(Supplier<List<SafetyReserve>> read) {
    this.read = read;
  }

  /** There is a driver that cannot be taken back. */
  public void keep() {
    kept = true;
  }

  boolean isKept() {
    return kept;
  }

  boolean keepsBeside(ResourceVector driver) {
    return shapes().stream().allMatch(shape -> shape.keepsBeside(driver));
  }

  private List<SafetyReserve> shapes() {
    shapes = shapes == null ? read.get() : shapes;
    for (ResourceVector driver : added) {
      shapes.forEach(shape -> shape.addDriver(driver));
    }
    added.clear();
    return shapes;
  }

  void addDriver(ResourceVector driver) {
    added.add(driver);
  }
}
