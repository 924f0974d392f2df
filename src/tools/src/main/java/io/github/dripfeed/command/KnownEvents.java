// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The events of the active ResourceManager and of those on standby, and what may be missing. */
final class KnownEvents {

  private final Reading reading;
  private final List<Reading> standbys;
  private final Attribute kind;

  /** @param standbys empty if they were not asked, or tell nothing */
  KnownEvents(Reading reading, List<Reading> standbys, Attribute kind) {
    this.reading = reading;
    this.standbys = standbys;
    this.kind = kind;
  }

  /**
   * Those of this kind, and perhaps others, oldest first; each says whose it is, because each
   * ResourceManager numbers its own.
   */
  List<Row> events() {
    return events(each -> each.events(kind));
  }

  /** The same; where all kinds are meant, with the older ones of the kinds that are kept longer. */
  List<Row> eventsAndOlder() {
    return events(each -> kind == Attribute.EVENTS ? each.allKept() : each.events(kind));
  }

  private List<Row> events(Function<Reading, List<Row>> read) {
    List<Row> events = new ArrayList<>();
    List<Reading> all = new ArrayList<>(standbys);
    all.add(reading);
    for (Reading each : all) {
      String address = each.address().toString();
      read.apply(each).forEach(row -> events.add(row.with("resourceManager", address)));
    }
    events.sort(Comparator.comparingLong(row -> row.number(Column.TIME)));
    return events;
  }

  /** Since when they tell everything, in milliseconds since the epoch; -1 if that is unknown. */
  long knownSince() {
    return reading.knownSince(kind);
  }

  /** The addresses of those on standby that told theirs. */
  List<String> standbys() {
    return standbys.stream().map(each -> each.address().toString()).collect(Collectors.toList());
  }

  /**
   * What cannot be known of the time since a moment; empty if all is. A standby does not say when it was
   * the active one, so its events close no gap for certain.
   *
   * @param since milliseconds since the epoch; -1 for all times
   */
  String gap(long since) {
    long known = knownSince();
    if (known < 0 || since >= known) {
      return "";
    }
    String why = known == reading.activeSince() ? reading.address() + " has been active since "
        : known == reading.startTime() ? "Dripfeed was loaded at "
            : "Kept are the last " + Wording.count(reading.events(kind).size(), "event")
                + (kind == Attribute.EVENTS ? "" : " of this kind") + ", since ";
    return why + Times.moment(known, reading.time(), AskingTool.zone()) + ". What was before is "
        + (standbys.isEmpty() ? "" : "shown as far as " + String.join(", ", standbys())
            + " on standby still has it; all of it is ")
        + "in the log of the ResourceManager that was active then (io.github.dripfeed.StateLog)";
  }
}
