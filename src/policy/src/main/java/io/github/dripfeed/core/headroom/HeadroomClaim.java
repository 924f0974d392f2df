// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What a plan has decided about one attempt, and the resources that the attempt claims by it. */
public final class HeadroomClaim {

  private enum Kind {
    /** It is starting. */
    STARTING,
    /** It may start although no slot is free. */
    PASS,
    /** It has no pass, but the reserve counts its driver: it may take a slot. */
    SLOT,
    /** It has no pass because of its user's limit, and holds back no other attempt. */
    PASSED_OVER
  }

  private final Object item;
  private final Kind kind;
  private final List<ClaimTotal> levels;
  private final String partition;
  private final ResourceVector driver;
  private final Map<String, ResourceVector> firstStage;

  private HeadroomClaim(Object item, Kind kind, List<ClaimTotal> levels, String partition,
      ResourceVector driver, Map<String, ResourceVector> firstStage) {
    this.item = item;
    this.kind = kind;
    this.levels = levels;
    this.partition = partition;
    this.driver = driver;
    this.firstStage = firstStage;
  }

  /**
   * The claim of a starting attempt.
   *
   * @param item the attempt
   * @param levels the totals of its queue and of all ancestors
   * @param firstStage the resources that its missing executors are expected to need, by partition and
   *     resource type
   */
  public static HeadroomClaim ofStarting(Object item, List<ClaimTotal> levels,
      Map<String, ResourceVector> firstStage) {
    return new HeadroomClaim(item, Kind.STARTING, levels, null, null, firstStage);
  }

  /**
   * The claim of an accepted attempt that may start.
   *
   * @param item the attempt
   * @param levels the totals of its queue and of all ancestors
   * @param partition the partition of its driver
   * @param driver the size of its driver, by resource type; null if it is not claimed
   * @param firstStage the resources that its first executors are expected to need, by partition and
   *     resource type
   */
  public static HeadroomClaim toStart(Object item, List<ClaimTotal> levels, String partition,
      ResourceVector driver, Map<String, ResourceVector> firstStage) {
    return new HeadroomClaim(item, Kind.PASS, levels, partition, driver, firstStage);
  }

  /** The decision about an accepted attempt that may start in a slot. */
  static HeadroomClaim ofSlot(Object item) {
    return new HeadroomClaim(item, Kind.SLOT, Collections.emptyList(), null, null, Collections.emptyMap());
  }

  /** The decision about an accepted attempt whose user has no room for it. */
  public static HeadroomClaim passedOver(Object item) {
    return new HeadroomClaim(
        item, Kind.PASSED_OVER, Collections.emptyList(), null, null, Collections.emptyMap());
  }

  Object item() {
    return item;
  }

  boolean isPass() {
    return kind == Kind.PASS;
  }

  boolean isPassedOver() {
    return kind == Kind.PASSED_OVER;
  }

  void add() {
    if (driver != null) {
      levels.forEach(level -> level.add(partition, driver));
    }
    firstStage.forEach((at, amounts) -> levels.forEach(level -> level.add(at, amounts)));
  }

  void subtractDriver() {
    if (driver != null) {
      levels.forEach(level -> level.subtract(partition, driver));
    }
  }

  void subtractFirstStage() {
    firstStage.forEach((at, amounts) -> levels.forEach(level -> level.subtract(at, amounts)));
  }

  /** Whether each level has headroom for all claims on it, where this claim needs any. */
  boolean isCovered() {
    for (int i = 0; i < levels.size(); i++) {
      ClaimTotal level = levels.get(i);
      if (driver != null && !level.fits(partition)) {
        return false;
      }
      for (String at : firstStage.keySet()) {
        if (!at.equals(partition) && !level.fits(at)) {
          return false;
        }
      }
    }
    return true;
  }
}
