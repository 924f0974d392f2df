// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Table;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;

/** Events as lines: one each where there is room, or where no person but a program reads. */
final class EventsText {

  private static final int ONE_LINE = 150;
  private static final int BELOW = 10;

  private EventsText() {
  }

  static List<String> of(List<Row> events, long now, Terminal terminal) {
    boolean oneLine = !terminal.isLive() || terminal.width() >= ONE_LINE;
    Table table = oneLine
        ? new Table("time", "application", "~user", "~type", "queue", "change", ">after", "because")
        : new Table("time", "application", "~user", "~type");
    for (Row event : events) {
      table.row(Times.moment(event.number(Column.TIME), now, AskingTool.zone()),
          event.text(Column.APPLICATION), event.text(Column.USER), event.text(Column.TYPE),
          event.text(Column.QUEUE), change(event), Times.millis(event.number(Column.MILLISECONDS)),
          event.text(Column.REASON));
    }
    List<String> text = table.lines(oneLine ? Integer.MAX_VALUE : terminal.width());
    List<String> lines = new ArrayList<>();
    lines.add(terminal.in(Terminal.Colour.QUIET, text.get(0)));
    for (int i = 0; i < events.size(); i++) {
      lines.add(text.get(i + 1));
      if (!oneLine) {
        below(events.get(i), terminal, lines);
      }
    }
    return lines;
  }

  private static void below(Row event, Terminal terminal, List<String> lines) {
    String indent = Text.pad("", BELOW, false);
    for (String line : Text.wrap(Text.safe(event.text(Column.QUEUE) + ": " + sentence(event)),
        terminal.width() - BELOW)) {
      lines.add(indent + terminal.in(Terminal.Colour.QUIET, line));
    }
  }

  private static String change(Row event) {
    return event.text(Column.FROM) + " -> " + event.text(Column.TO);
  }

  /** What happened, after how long, and why. */
  static String sentence(Row event) {
    return change(event)
        + (event.number(Column.MILLISECONDS) < 0 ? ""
            : " after " + Times.millis(event.number(Column.MILLISECONDS)))
        + (event.text(Column.REASON).isEmpty() ? "" : ", because " + event.text(Column.REASON));
  }
}
