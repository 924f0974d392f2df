// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.wire.Wire.Attribute;

/** A table of events. */
public enum EventTable {

  /** All that happened. */
  EVENTS(Attribute.EVENTS),
  /** Only those that a time limit made running. */
  PROMOTIONS(Attribute.PROMOTIONS),
  /** Only those that ended while starting. */
  ENDED_WHILE_STARTING(Attribute.ENDED_WHILE_STARTING);

  private final Attribute attribute;

  EventTable(Attribute attribute) {
    this.attribute = attribute;
  }

  Attribute attribute() {
    return attribute;
  }
}
