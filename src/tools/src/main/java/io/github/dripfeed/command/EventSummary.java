// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.terminal.Table;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
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
  private static final List<String> COLUMNS = Arrays.asList("user", "type", "queue", "application");
  private static final int MEDIAN = 50;
  private static final int HIGH = 95;
  private static final int WHOLE = 100;

  private final List<String> columns;
  private final Map<List<String>, Group> groups =
      new TreeMap<>(Comparator.comparing(key -> String.join("\n", key)));

  /** @param columns their names, separated by commas */
  EventSummary(String columns) throws Problem {
    this.columns = Arrays.asList(columns.split(",", -1));
    if (!COLUMNS.containsAll(this.columns)
        || this.columns.stream().distinct().count() < this.columns.size()) {
      throw Values.wrong(OPTION, columns,
          "are " + String.join(", ", COLUMNS) + ", each once, separated by commas");
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
    documents().forEach(document -> table.row(document.entrySet().stream()
        .map(each -> !each.getKey().endsWith("Milliseconds") ? each.getValue()
            : Times.millis((long) each.getValue())).toArray()));
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
      columns.forEach(column -> document.put(column, key.get(columns.indexOf(column))));
      document.putAll(JsonText.document("becameRunning", group.starting.size(),
          "startingMedianMilliseconds", percentile(MEDIAN, group.starting),
          "starting95Milliseconds", percentile(HIGH, group.starting),
          "startingLongestMilliseconds", percentile(WHOLE, group.starting),
          "waitedMedianMilliseconds", percentile(MEDIAN, group.waiting),
          "waited95Milliseconds", percentile(HIGH, group.waiting),
          "byLimit", group.byLimit, "endedWhileStarting", group.ended));
      documents.add(document);
    });
    return documents;
  }

  /** The smallest time that is not below this share of all; -1 without times. */
  private static long percentile(int percent, List<Long> times) {
    Collections.sort(times);
    return times.isEmpty() ? -1 : times.get((percent * times.size() + WHOLE - 1) / WHOLE - 1);
  }

  /** The events of one group. */
  private static final class Group {

    private final List<Long> waiting = new ArrayList<>();
    private final List<Long> starting = new ArrayList<>();
    private int byLimit;
    private int ended;

    void add(Row event) {
      long millis = event.number(Column.MILLISECONDS);
      if (is(event, Wire.ACCEPTED, Wire.STARTING) && millis >= 0) {
        waiting.add(millis);
      } else if (is(event, Wire.STARTING, Wire.RUNNING) && millis >= 0) {
        starting.add(millis);
        byLimit += EventFilter.BY_LIMIT.stream().anyMatch(each -> EventFilter.isFor(each, event)) ? 1 : 0;
      } else if (is(event, Wire.STARTING, Wire.ENDED)) {
        ended++;
      }
    }

    private static boolean is(Row event, String from, String to) {
      return event.is(Column.FROM, from) && event.is(Column.TO, to);
    }
  }
}
