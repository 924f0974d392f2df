// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.QueueTables;
import io.github.dripfeed.command.remote.QueueWords;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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
        // The tables end somewhere; the queue counts all.
        shown.add(JsonText.document("queue", path, "summary", QueueWords.summary(queue),
            "facts", QueueWords.facts(queue), "bars", bars.document(),
            "starting", rows(starting, Picture::starting),
            "inStarting", Math.max(queue.number(Column.STARTING), starting.size()),
            "line", rows(line, Picture::waiting),
            "inLine", Math.max(queue.number(Column.ACCEPTED), line.size()),
            "pending", rows(pending, Picture::pending),
            "inOwnList", Math.max(queue.number(Column.PENDING_ACTIVATION), pending.size())));
      } else {
        more++;
      }
    }
    long knownSince = reading.knownSince();
    return JsonText.document("resourceManager", reading.address().toString(), "version", reading.version(),
        "time", reading.time(), "zone", zone.getId(),
        // Only if that hides something.
        "knownSince", knownSince > reading.time() - Bars.HOUR ? knownSince : -1,
        "queues", shown, "idle", idle.subList(0, Math.min(MOST_QUEUES, idle.size())),
        "idleQueues", idle.size(), "moreQueues", more);
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
    return rows.stream().limit(MOST_ROWS).map(document).collect(Collectors.toList());
  }

  private static Map<String, Object> application(Row row) {
    return JsonText.document("application", row.text(Column.APPLICATION), "name", row.text(Column.NAME),
        "user", row.text(Column.USER), "type", row.text(Column.TYPE),
        "partition", row.text(Column.PARTITION), "since", row.number(Column.SINCE),
        "for", Times.duration(row.number(Column.SECONDS)));
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
    document.putAll(JsonText.document("place", row.number(Column.PLACE), "startsIn",
        Times.range(row.number(Column.STARTS_IN_LOW_SECONDS), row.number(Column.STARTS_IN_HIGH_SECONDS)),
        "asks", QueueWords.asked(row), "priority", row.number(Column.PRIORITY)));
    return document;
  }

  private static Map<String, Object> pending(Row row) {
    Map<String, Object> document = application(row);
    document.put("reason", row.text(Column.REASON));
    return document;
  }
}
