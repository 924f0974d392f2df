// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Table;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.terminal.Times;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The answer of {@code what-if} for a terminal. */
final class WhatIfText {

  private static final String INDENT = "  ";
  /** So many applications have a line each; {@code --json} has all. */
  private static final int MOST_SHOWN = 20;

  private final Reading reading;
  private final Terminal terminal;
  private final List<String> lines = new ArrayList<>();

  WhatIfText(Reading reading, Terminal terminal) {
    this.reading = reading;
    this.terminal = terminal;
  }

  List<String> of(WhatIf answer) {
    lines.add(terminal.in(Terminal.Colour.QUIET, Wording.source(reading)));
    add("", answer.path() + ": max-starting = " + answer.slots() + " instead of " + answer.slotsNow(),
        Terminal.Colour.TITLE);
    lines.add("");
    past(answer);
    lines.add("");
    present(answer);
    return lines;
  }

  private void past(WhatIf answer) {
    RecordedWaits history = answer.history();
    String since = Times.moment(reading.knownSince(), reading.time(), Call.zone());
    if (!answer.isHistoryKnown()) {
      add("", "Until now: too few starts are known to say what it would have done: "
          + Wording.count(history.count(), "start") + " since " + since + ", and "
          + WhatIf.FEWEST + " are needed.", null);
      return;
    }
    add("", "Until now: " + Wording.count(history.count(), "start") + " since " + since
        + ", each " + Times.millis(new Statistics(history.held()).median())
        + " long (median). They waited", null);
    Table table = new Table().column("", Table.Narrow.KEEP, false).column("median", Table.Narrow.KEEP, true)
        .column("mean", Table.Narrow.KEEP, true).column("95 %", Table.Narrow.KEEP, true);
    row(table, "as recorded", history.recorded());
    row(table, "in the model, as it is: " + Wording.count(answer.slotsNow(), "slot"),
        history.with(answer.slotsNow()));
    row(table, "in the model, then: " + Wording.count(answer.slots(), "slot"),
        history.with(answer.slots()));
    table.lines(terminal.width() - INDENT.length()).forEach(line -> lines.add(INDENT + line));
    if (answer.isModelWrong()) {
      add("", "The model as it is and the record differ, so do not trust its figures: other things than"
          + " slots made applications wait or let them go, such as the room of the queue.",
          Terminal.Colour.STARTING);
    }
    add("", "The model assumes:", Terminal.Colour.QUIET);
    answer.assumptions().forEach(each -> add(INDENT, each, Terminal.Colour.QUIET));
  }

  private static void row(Table table, String title, List<Long> waits) {
    Statistics figures = new Statistics(waits);
    table.row(title, Times.millis(figures.median()), Times.millis(figures.mean()),
        Times.millis(figures.high()));
  }

  private void present(WhatIf answer) {
    Row queue = answer.queue();
    long waiting = Math.max(0, queue.number("accepted"));
    String now = "Now: " + Math.max(0, queue.number("starting")) + " starting, " + waiting + " in line. ";
    if (answer.now().count() == 0) {
      add("", now + (waiting == 0 ? "Nobody waits." : answer.now().told() == 0
          ? "Who would be offered is not known: the table of lines ended before this queue."
          : "Nobody would be offered at once: " + answer.now().whyNobody(answer.slots())), null);
    }
    for (OfferedAtOnce.Part part : answer.now().parts()) {
      if (!part.offered.isEmpty()) {
        add("", now + "With " + Wording.count(answer.slots(), "slot") + " "
            + (part.offered.size() == 1 ? "this one" : "these " + part.offered.size())
            + " would be offered at once"
            + (part.partition.isEmpty() ? "" : " for partition " + part.partition) + ":", null);
        offered(part.offered);
        add("", room(part), null);
      }
    }
    if (answer.now().mayOfferMore()) {
      add("", "The table of lines ended after " + answer.now().told() + " of this queue: some of the other "
          + answer.now().notTold() + " may be offered, too.", null);
    }
    if (answer.now().count() > 0) {
      add("", "YARN passes over those whose users are at the user limit. Who they are is known only while a"
          + " slot is free, and only of those before the first one that is offered.",
          Terminal.Colour.QUIET);
    }
    if (!queue.text("group").isEmpty() && answer.now().count() > 0) {
      add("", "Another queue of the group " + queue.text("group") + " may come first.", null);
    }
    if (queue.number("pendingActivation") > 0) {
      add("", queue.number("pendingActivation") + " more are in YARN's own list, and not in line yet.",
          null);
    }
  }

  private void offered(List<Row> rows) {
    Table table = new Table().column("place", Table.Narrow.KEEP, true)
        .column("waiting", Table.Narrow.KEEP, true).column("application", Table.Narrow.KEEP, false)
        .column("user", Table.Narrow.CUT, false).column("MB", Table.Narrow.KEEP, true)
        .column("vcores", Table.Narrow.KEEP, true).column("name", Table.Narrow.OPTIONAL, false);
    for (Row row : rows.subList(0, Math.min(MOST_SHOWN, rows.size()))) {
      table.row(row.text("place"), Times.duration(row.number("seconds")), row.text("application"),
          row.text("user"), Wording.number(row.number("memoryMb")), Wording.number(row.number("vcores")),
          row.text("name"));
    }
    table.lines(terminal.width() - INDENT.length()).forEach(line -> lines.add(INDENT + line));
    if (rows.size() > MOST_SHOWN) {
      add(INDENT, "... and " + (rows.size() - MOST_SHOWN) + " more", Terminal.Colour.QUIET);
    }
  }

  private static String room(OfferedAtOnce.Part part) {
    if (!part.isRoomKnown()) {
      return "Whether the queue has room for them is not known.";
    }
    String figures = "Asked for: " + part.asked("memoryMb") + " MB, "
        + Wording.count(part.asked("vcores"), "vcore") + "; left in the queue: "
        + Math.max(0, part.memoryMb.getAsLong()) + " MB, "
        + Wording.count(Math.max(0, part.vcores.getAsLong()), "vcore") + ". ";
    return figures + (!part.isMemoryEnough() ? "That is not enough for these drivers."
        : !part.isVcoresEnough() ? "That is not enough for these drivers where YARN counts vcores, too."
        : "That is enough for these drivers, if nodes have it in one piece; "
            + (part.memoryMb.getAsLong() - part.asked("memoryMb")) + " MB stay for executors.");
  }

  private void add(String indent, String text, Terminal.Colour colour) {
    List<String> wrapped = text.isEmpty() ? Collections.singletonList("")
        : Text.wrap(Text.safe(text), terminal.width() - indent.length());
    for (String line : wrapped) {
      lines.add(indent + (colour == null ? line : terminal.in(colour, line)));
    }
  }
}
