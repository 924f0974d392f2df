// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Table;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Start-up times, waits, and who ended while starting, by user, type or another column. */
final class EventSummary {

  static final String OPTION = "--summary";
  private static final List<String> COLUMNS =
      Stream.of(Column.USER, Column.TYPE, Column.QUEUE, Column.APPLICATION)
      .map(Column::toString).collect(Collectors.toList());
  private static final Predicate<Row> IS_TIMED = event -> event.number(Column.MILLISECONDS) >= 0;

  private final List<String> columns;

  /** @param columns their names, separated by commas */
  EventSummary(String columns) throws Problem {
    this.columns = Arrays.asList(columns.split(",", -1));
    if (!COLUMNS.containsAll(this.columns)
        || this.columns.stream().distinct().count() < this.columns.size()) {
      throw Problem.wrong(OPTION, columns,
          "are " + String.join(", ", COLUMNS) + ", each once, separated by commas");
    }
  }

  /** The lines of a table. */
  List<String> lines(List<Row> events, int width) {
    Table table = new Table(Stream.concat(
        columns.stream().map(each -> each.equals(Column.APPLICATION.toString()) ? each : "~" + each),
        Stream.of(">ran", ">start-up", ">95%", ">?longest", ">waited", ">?95%", ">by limit", ">ended",
            ">taken"))
        .toArray(String[]::new));
    documents(events).forEach(document -> table.row(document.entrySet().stream()
        .map(each -> !each.getKey().endsWith("Milliseconds") ? each.getValue()
            : Times.millis((long) each.getValue())).toArray()));
    List<String> lines = new ArrayList<>(table.lines(width));
    Collections.addAll(lines, "", "ran: became running; start-up: until then, from the AM on (median)",
        "waited: from accepted to the AM; by limit: of these, made running by a time limit",
        "ended: while starting; taken: its AM was taken back");
    return lines;
  }

  /** One document for each group in which something of that happened. */
  List<Map<String, Object>> documents(List<Row> all) {
    List<Map<String, Object>> documents = new ArrayList<>();
    Map<String, List<Row>> groups = all.stream().collect(Collectors.groupingBy(event ->
        columns.stream().map(event::text).collect(Collectors.joining("\n")), TreeMap::new,
        Collectors.toList()));
    groups.values().forEach(events -> {
      List<Row> started = Reading.where(changed(events, Wire.ACCEPTED, Wire.STARTING), IS_TIMED);
      List<Row> ran = Reading.where(changed(events, Wire.STARTING, Wire.RUNNING), IS_TIMED);
      List<Row> ended = changed(events, Wire.STARTING, Wire.ENDED);
      int takenBack = Reading.where(ended, event -> event.is(Column.CODE, Event.TAKEN_BACK.name())).size();
      Map<String, Object> document = JsonText.document();
      columns.forEach(column -> document.put(column, events.get(0).text(column)));
      document.putAll(JsonText.document("becameRunning", ran.size(),
          "startingMedianMilliseconds", percentile(0.5, ran),
          "starting95Milliseconds", percentile(0.95, ran),
          "startingLongestMilliseconds", percentile(1, ran),
          "waitedMedianMilliseconds", percentile(0.5, started),
          "waited95Milliseconds", percentile(0.95, started), "byLimit", Reading.where(ran, event ->
              Stream.of(Event.values()).anyMatch(
                  each -> each.isByLimit() && event.is(Column.CODE, each.name()))).size(),
          "endedWhileStarting", ended.size() - takenBack, "takenBack", takenBack));
      if (started.size() + ran.size() + ended.size() > 0) {
        documents.add(document);
      }
    });
    return documents;
  }

  private static List<Row> changed(List<Row> events, String from, String to) {
    return Reading.where(events, event -> event.is(Column.FROM, from) && event.is(Column.TO, to));
  }

  /** The smallest time that is not below this share of all; -1 without times. */
  private static long percentile(double share, List<Row> events) {
    return events.stream().map(event -> event.number(Column.MILLISECONDS)).sorted()
        .skip(Math.max(0, (long) Math.ceil(share * events.size()) - 1)).findFirst().orElse(-1L);
  }
}
