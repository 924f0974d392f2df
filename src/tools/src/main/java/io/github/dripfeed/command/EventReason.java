// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Why an event happened, as a word for {@code --reason}. */
enum EventReason {

  /** Its driver was allocated. */
  DRIVER(event -> event.is("to", "STARTING")),
  /** It got its executors. */
  EXECUTORS(event -> says(event, "has its executors")),
  /** Its starting-timeout was over: the time limit promoted it. */
  TIMEOUT(event -> says(event, "starting for as long as the queue allows")),
  /** Its idle-timeout was over: the time limit promoted it. */
  IDLE(event -> says(event, "requested nothing for as long")),
  /** It is exempt, or has no driver in the queue. */
  EXEMPT(event -> says(event, "it is exempt")),
  /** It has executors of an earlier attempt. */
  INHERITED(event -> says(event, "executors of an earlier attempt")),
  /** Its state could not be read. */
  UNDETERMINED(event -> says(event, "cannot be determined")),
  /** Its driver was taken back. */
  TAKEN_BACK(event -> says(event, "taken back")),
  /** It ended. */
  ENDED(event -> event.is("to", "ENDED"));

  /** A time limit, and nothing that the application did, made it run. */
  static final Set<EventReason> BY_LIMIT = EnumSet.of(TIMEOUT, IDLE);

  private final Predicate<Row> condition;

  EventReason(Predicate<Row> condition) {
    this.condition = condition;
  }

  private static boolean says(Row event, String text) {
    return event.text("reason").contains(text);
  }

  boolean matches(Row event) {
    return condition.test(event);
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
