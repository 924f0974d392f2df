// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Serializable;
import java.util.Map;

/**
 * A configuration of the scheduler that the simulator compares with others.
 *
 * @param kind its role in the comparison
 * @param number the static limit, as people state it; 0 if there is none
 * @param queue the properties of the queue, below its path; if there are several queues, of each of them
 * @param parent the properties of the parent of several queues
 * @param admission of a controller in front of the scheduler; null if there is none
 */
record SchedulerVariant(String name, Kind kind, double number, Map<String, String> queue,
    Map<String, String> parent, AdmissionRule admission) implements Serializable {

  enum Kind {
    /** A stock policy with its defaults. */
    STOCK,
    /** Stock fifo with a limit on the resources of drivers. */
    AM_PERCENT,
    /** Stock fifo with a limit on the number of running applications. */
    MAX_PARALLEL,
    /** Stock fair with a limit on the resources of drivers: another order, so none of the static limits. */
    FAIR_AM_PERCENT,
    /** Dripfeed with its defaults. */
    DRIPFEED,
    /** The same with the fair order. */
    DRIPFEED_FAIR,
    /** Dripfeed in several queues without a group: with no promise. */
    DRIPFEED_ALONE,
    /** Dripfeed with one property set. */
    DRIPFEED_TUNED,
    /** The rule of another system. */
    OTHER_SYSTEM;

    boolean isStatic() {
      return this == AM_PERCENT || this == MAX_PARALLEL;
    }

    /** One of many values of one property, of which tables and charts show the best. */
    boolean isLimit() {
      return isStatic() || this == FAIR_AM_PERCENT;
    }

    boolean isDripfeed() {
      return this == DRIPFEED || this == DRIPFEED_FAIR || this == DRIPFEED_ALONE
          || this == DRIPFEED_TUNED;
    }
  }

  SchedulerVariant(String name, Kind kind, double number, Map<String, String> queue) {
    this(name, kind, number, queue, Map.of(), null);
  }

  /** The name where there is little room. */
  String shortName() {
    return name.replace("exempt-application-types", "exempt").replace("LAUNCHER", "launchers");
  }

  /** Whether Dripfeed promises that no deadlock occurs. */
  boolean isDeadlockFree() {
    return kind.isDripfeed() && kind != Kind.DRIPFEED_ALONE;
  }
}
