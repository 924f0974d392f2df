// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.terminal.Table;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Start-up times of those that became running, waits, and who ended before that, by user, type or another
 * column.
 */
final class EventSummary {

  static final String OPTION = "--summary";
  private static final List<String> COLUMNS = Stream.of(Column.USER, Column.TYPE, Column.QUEUE,
      Column.APPLICATION).map(Column::toString).collect(Collectors.toList());

  private final List<String> columns = new ArrayList<>();
  private final Map<List<String>, Group> groups = new TreeMap<>(
      (one, other) -> String.join("\n", one).compareTo(String.join("\n", other)));

  /** @param columns their names, separated by commas */
  EventSummary(String columns) throws Problem {
    for (String column : columns.split(",", -1)) {
      if (!COLUMNS.contains(column) || this.columns.contains(column)) {
        throw new Problem(Problem.WRONG_CALL, OPTION + " = '" + columns + "': allowed are "
            + String.join(", ", COLUMNS) + ", each once, separated by commas");
      }
      this.columns.add(column);
    }
  }

  void add(List<Row> events) {
    for (Row event : events) {
      List<String> key = columns.stream().map(event::text).collect(Collectors.toList());
      groups.computeIfAbsent(key, each -> new Group()).add(event);
    }
    groups.values().removeIf(group -> group.waiting.isEmpty() && group.starting.isEmpty()
        && group.ended == 0);
  }

  /** The lines of a table. */
  List<String> lines(int width) {
    Table table = new Table(Stream.concat(
        columns.stream().map(column -> column.equals("application") ? column : "~" + column),
        Stream.of(">ran", ">start-up", ">95 %", ">?longest", ">waited", ">?95 %", ">by limit", ">ended"))
        .toArray(String[]::new));
    groups.forEach((key, group) -> {
      Statistics starting = new Statistics(group.starting);
      Statistics waiting = new Statistics(group.waiting);
      List<Object> row = new ArrayList<>(key);
      row.addAll(Arrays.asList(group.starting.size(), Times.millis(starting.median()),
          Times.millis(starting.high()), Times.millis(starting.longest()), Times.millis(waiting.median()),
          Times.millis(waiting.high()), group.byLimit, group.ended));
      table.row(row.toArray());
    });
    List<String> lines = new ArrayList<>(table.lines(width));
    lines.add("");
    lines.add("ran: became running; start-up: until then, from the driver on (median)");
    lines.add("waited: from accepted to the driver; by limit: of these, made running by a time limit");
    lines.add("ended: while starting");
    return lines;
  }

  /** One document for each group. */
  List<Map<String, Object>> documents() {
    List<Map<String, Object>> documents = new ArrayList<>();
    groups.forEach((key, group) -> {
      Map<String, Object> document = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        document.put(columns.get(i), key.get(i));
      }
      Statistics starting = new Statistics(group.starting);
      Statistics waiting = new Statistics(group.waiting);
      document.put("becameRunning", group.starting.size());
      document.put("startingMedianMilliseconds", starting.median());
      document.put("starting95Milliseconds", starting.high());
      document.put("startingLongestMilliseconds", starting.longest());
      document.put("waitedMedianMilliseconds", waiting.median());
      document.put("waited95Milliseconds", waiting.high());
      document.put("byLimit", group.byLimit);
      document.put("endedWhileStarting", group.ended);
      documents.add(document);
    });
    return documents;
  }

  /** The events of one group. */
  private static final class Group {

    private final List<Long> waiting = new ArrayList<>();
    private final List<Long> starting = new ArrayList<>();
    private int byLimit;
    private int ended;

    void add(Row event) {
      long millis = event.number(Column.MILLISECONDS);
      if (event.is(Column.FROM, Wire.ACCEPTED) && event.is(Column.TO, Wire.STARTING) && millis >= 0) {
        waiting.add(millis);
      } else if (event.is(Column.FROM, Wire.STARTING) && event.is(Column.TO, Wire.RUNNING) && millis >= 0) {
        starting.add(millis);
        byLimit += EventReason.isByLimit(event) ? 1 : 0;
      } else if (event.is(Column.FROM, Wire.STARTING) && event.is(Column.TO, Wire.ENDED)) {
        ended++;
      }
    }
  }
}
