// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Asked;
import io.github.dripfeed.command.remote.QueueTables;
import io.github.dripfeed.command.remote.QueueWords;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** What the page shows of a reading. Immutable. */
final class Picture {

  /** More lines than this are of no use to a person, and slow for a browser. */
  private static final int MOST_ROWS = 1000;
  private static final int MOST_QUEUES = 200;

  private final Reading reading;
  private final ZoneId zone;
  private final Predicate<String> queues;

  /**
   * @param zone that of the times that the page shows
   * @param queues whether the queue of this path is shown
   */
  Picture(Reading reading, ZoneId zone, Predicate<String> queues) {
    this.reading = reading;
    this.zone = zone;
    this.queues = queues;
  }

  Map<String, Object> document() {
    Map<String, List<Row>> history = history();
    QueueTables tables = new QueueTables(reading);
    List<Object> shown = new ArrayList<>();
    List<String> idle = new ArrayList<>();
    int more = 0;
    for (Row queue : reading.queues()) {
      String path = queue.text(Column.QUEUE);
      if (!queues.test(path)) {
        continue;
      }
      List<Row> starting = tables.starting(path);
      List<Row> line = tables.line(path);
      List<Row> pending = tables.pending(path);
      Bars bars = new Bars(reading.time(), path, history.getOrDefault(path, Collections.emptyList()),
          starting, line);
      if (bars.isEmpty() && tables.isIdle(queue)) {
        idle.add(path);
      } else if (shown.size() < MOST_QUEUES) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("queue", path);
        one.put("summary", QueueWords.summary(queue));
        one.put("facts", QueueWords.facts(queue));
        one.put("bars", bars.document());
        one.put("starting", rows(starting, Picture::starting));
        one.put("inStarting", Math.max(queue.number(Column.STARTING), starting.size()));
        one.put("line", rows(line, Picture::waiting));
        // The tables end somewhere; the queue counts all.
        one.put("inLine", Math.max(queue.number(Column.ACCEPTED), line.size()));
        one.put("pending", rows(pending, Picture::pending));
        one.put("inOwnList", Math.max(queue.number(Column.PENDING_ACTIVATION), pending.size()));
        shown.add(one);
      } else {
        more++;
      }
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("resourceManager", reading.address().toString());
    document.put("version", reading.version());
    document.put("time", reading.time());
    document.put("zone", zone.getId());
    // Only if that hides something.
    long knownSince = reading.knownSince();
    document.put("knownSince", knownSince > reading.time() - Bars.HOUR ? knownSince : -1);
    document.put("queues", shown);
    document.put("idle", idle.subList(0, Math.min(MOST_QUEUES, idle.size())));
    document.put("idleQueues", idle.size());
    document.put("moreQueues", more);
    return document;
  }

  /**
   * The events of each queue, oldest first, with the row of another queue among them where that tells that
   * an attempt has moved there.
   */
  private Map<String, List<Row>> history() {
    Map<String, List<Row>> history = new HashMap<>();
    Map<String, String> queueOf = new HashMap<>();
    for (Row event : reading.eventsWithoutHole()) {
      String path = event.text(Column.QUEUE);
      history.computeIfAbsent(path, queue -> new ArrayList<>()).add(event);
      left(queueOf.put(event.text(Column.ATTEMPT), path), event, history);
    }
    // The row of one that is starting tells no time: its queue shows all of its start.
    reading.starting().forEach(row -> left(queueOf.get(row.text(Column.ATTEMPT)), row, history));
    return history;
  }

  private static void left(String before, Row row, Map<String, List<Row>> history) {
    if (before != null && !row.is(Column.QUEUE, before)) {
      history.get(before).add(row);
    }
  }

  private static List<Object> rows(List<Row> rows, Function<Row, Map<String, Object>> document) {
    List<Object> documents = new ArrayList<>();
    rows.stream().limit(MOST_ROWS).forEach(row -> documents.add(document.apply(row)));
    return documents;
  }

  private static Map<String, Object> application(Row row) {
    Map<String, Object> document = new LinkedHashMap<>();
    for (Column column : new Column[] {
        Column.APPLICATION, Column.NAME, Column.USER, Column.TYPE, Column.PARTITION}) {
      document.put(column.toString(), row.text(column));
    }
    document.put("since", row.number(Column.SINCE));
    document.put("for", Times.duration(row.number(Column.SECONDS)));
    return document;
  }

  private static Map<String, Object> starting(Row row) {
    Map<String, Object> document = application(row);
    document.put("lacks", row.text(Column.LACKS));
    long most = row.number(Column.AT_MOST_SECONDS);
    document.put("atMost", most > 0 ? Times.duration(most) : "");
    return document;
  }

  private static Map<String, Object> waiting(Row row) {
    Map<String, Object> document = pending(row);
    document.put("place", row.number(Column.PLACE));
    document.put("startsIn",
        Times.range(row.number(Column.STARTS_IN_LOW_SECONDS), row.number(Column.STARTS_IN_HIGH_SECONDS)));
    document.put("asks", Asked.by(row));
    document.put("priority", row.number(Column.PRIORITY));
    return document;
  }

  private static Map<String, Object> pending(Row row) {
    Map<String, Object> document = application(row);
    document.put("reason", row.text(Column.REASON));
    return document;
  }
}
