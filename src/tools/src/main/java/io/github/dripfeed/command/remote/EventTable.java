// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

/** A table of events. */
public enum EventTable {

  /** All that happened. */
  EVENTS("Events"),
  /** Only those that a time limit made running. */
  PROMOTIONS("Promotions"),
  /** Only those that ended while starting. */
  ENDED_WHILE_STARTING("EndedWhileStarting");

  private final String attribute;

  EventTable(String attribute) {
    this.attribute = attribute;
  }

  /** The attribute of the MBean. */
  String attribute() {
    return attribute;
  }
}
