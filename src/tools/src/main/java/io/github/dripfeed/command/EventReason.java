// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Event;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Why an event happened, as a word for {@code --reason}. */
enum EventReason {

  DRIVER(Event.DRIVER),
  EXECUTORS(Event.EXECUTORS),
  TIMEOUT(Event.TIMEOUT),
  IDLE(Event.IDLE),
  EXEMPT(Event.EXEMPT, Event.EXEMPT_NOW),
  INHERITED(Event.INHERITED),
  UNDETERMINED(Event.UNDETERMINED),
  TAKEN_BACK(Event.TAKEN_BACK),
  /** With any code. */
  ENDED;

  /** A time limit, and nothing that the application did, made it run. */
  static final Set<EventReason> BY_LIMIT = EnumSet.of(TIMEOUT, IDLE);

  private final Event[] codes;

  EventReason(Event... codes) {
    this.codes = codes;
  }

  boolean matches(Row event) {
    return this == ENDED ? event.is(Column.TO, Wire.ENDED)
        : Arrays.stream(codes).anyMatch(code -> event.is(Column.CODE, code.name()));
  }

  static boolean isByLimit(Row event) {
    return BY_LIMIT.stream().anyMatch(reason -> reason.matches(event));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static List<String> words() {
    return Arrays.stream(values()).map(EventReason::word).collect(Collectors.toList());
  }

  static EventReason of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
