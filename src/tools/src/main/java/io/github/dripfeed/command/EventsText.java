// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Table;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;

/** Events as lines: one each where there is room, or where no person but a program reads. */
final class EventsText {

  private static final int ONE_LINE = 150;
  private static final String INDENT = "          ";

  private EventsText() {
  }

  static List<String> of(List<Row> events, long now, Terminal terminal) {
    boolean oneLine = !terminal.isLive() || terminal.width() >= ONE_LINE;
    Table table = oneLine
        ? new Table("time", "application", "~user", "~type", "queue", "change", ">after", "because")
        : new Table("time", "application", "~user", "~type");
    for (Row event : events) {
      table.row(Times.moment(event.number(Column.TIME), now), event.text(Column.APPLICATION),
          event.text(Column.USER), event.text(Column.TYPE), event.text(Column.QUEUE), change(event),
          Times.millis(event.number(Column.MILLISECONDS)), event.text(Column.REASON));
    }
    List<String> text = table.lines(oneLine ? Integer.MAX_VALUE : terminal.width());
    List<String> lines = new ArrayList<>();
    lines.add(terminal.in(Terminal.Colour.QUIET, text.get(0)));
    for (int i = 0; i < events.size(); i++) {
      lines.add(text.get(i + 1));
      String below = events.get(i).text(Column.QUEUE) + ": " + sentence(events.get(i));
      if (!oneLine) {
        terminal.wrap(lines, INDENT, Terminal.Colour.QUIET, below);
      }
    }
    return lines;
  }

  private static String change(Row event) {
    return event.text(Column.FROM) + " -> " + event.text(Column.TO);
  }

  /** What happened, after how long, and why. */
  static String sentence(Row event) {
    long millis = event.number(Column.MILLISECONDS);
    return change(event) + (millis < 0 ? "" : " after " + Times.millis(millis))
        + (event.text(Column.REASON).isEmpty() ? "" : ", because " + event.text(Column.REASON));
  }

  /**
   * What cannot be known of the time since a moment, which is -1 for all times; empty if all is. A standby
   * does not say when it was the active one, so the events that it told close no gap for certain.
   */
  static String gap(Reading reading, List<String> standbys, Attribute kind, long since) {
    long known = reading.knownSince(kind);
    if (known < 0 || since >= known) {
      return "";
    }
    String why = known == reading.activeSince() ? reading.address() + " has been active since "
        : known == reading.startTime() ? "Dripfeed was loaded at "
            : "Kept are the last " + Text.count(reading.events(kind).size(), "event")
                + (kind == Attribute.EVENTS ? "" : " of this kind") + ", since ";
    return why + Times.moment(known, reading.time()) + ". What was before is "
        + (standbys.isEmpty() ? "" : "shown as far as " + String.join(", ", standbys)
            + " on standby still has it; all of it is ")
        + "in the log of the ResourceManager that was active then (io.github.dripfeed.StateLog)";
  }
}
