// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What the page shows of a reading: for each queue its tables, and its last hour as bars. */
final class Picture {

  private static final long HOUR = TimeUnit.HOURS.toMillis(1);
  /** The lengths of the bars' picture, in minutes: the shortest that all fits into. */
  private static final long[] MINUTES = {5, 10, 15, 30, 60};
  /** So many bars before the one that starts, and from it on, are served. */
  private static final int MOST_BARS = 300;
  /** More lines than this are of no use to a person, and slow for a browser. */
  private static final int MOST_ROWS = 1000;
  private static final int MOST_QUEUES = 200;
  private static final Column[] TEXTS = {Column.APPLICATION, Column.NAME, Column.USER, Column.TYPE,
      Column.PARTITION, Column.LACKS, Column.REASON};

  private final Reading reading;
  /** By queue and application. */
  private final Map<String, Map<String, Bar>> bars = new HashMap<>();

  private Picture(Reading reading) {
    this.reading = reading;
    Map<String, String> queueOf = new HashMap<>();
    for (Row event : reading.events(Attribute.EVENTS)) {
      // Since it is the active one, nothing is missing between them. It may have been so before, too.
      if (event.number(Column.TIME) >= reading.activeSince) {
        bar(event.text(Column.QUEUE), event).event(event);
        left(queueOf.put(event.text(Column.ATTEMPT), event.text(Column.QUEUE)), event);
      }
    }
    for (Row row : reading.rows(Attribute.STARTING)) {
      // It tells no time: its queue shows all of its start.
      left(queueOf.get(row.text(Column.ATTEMPT)), row);
      bar(row.text(Column.QUEUE), row).starting(row);
    }
    reading.rows(Attribute.LINE).forEach(row -> bar(row.text(Column.QUEUE), row).waiting(row));
  }

  private Bar bar(String queue, Row row) {
    return bars.computeIfAbsent(queue, path -> new LinkedHashMap<>())
        .computeIfAbsent(row.text(Column.APPLICATION), Bar::new);
  }

  private void left(String before, Row row) {
    if (before != null && !row.is(Column.QUEUE, before)) {
      bar(before, row).moved(row);
    }
  }

  /** @param queues whether the queue of this path is shown */
  static Map<String, Object> of(Reading reading, Predicate<String> queues) {
    Picture picture = new Picture(reading);
    List<Object> shown = new ArrayList<>();
    List<String> idle = new ArrayList<>();
    int more = 0;
    for (Row queue : Reading.where(reading.queues(), row -> queues.test(row.text(Column.QUEUE)))) {
      List<Bar> laid = picture.laid(queue.text(Column.QUEUE));
      if (laid.isEmpty() && reading.isIdle(queue)) {
        idle.add(queue.text(Column.QUEUE));
      } else if (shown.size() < MOST_QUEUES) {
        shown.add(picture.queue(queue, laid));
      } else {
        more++;
      }
    }
    long knownSince = reading.knownSince(Attribute.EVENTS);
    return JsonText.document("resourceManager", reading.address.toString(), "version", reading.version,
        "zone", ZoneId.systemDefault().getId(),
        // Only if that hides something.
        "knownSince", knownSince > reading.time - HOUR ? knownSince : -1,
        "queues", shown, "idle", idle.subList(0, Math.min(MOST_QUEUES, idle.size())),
        "idleQueues", idle.size(), "moreQueues", more);
  }

  /** The bars of a queue that reach into the last hour, in their order. */
  private List<Bar> laid(String queue) {
    return bars.getOrDefault(queue, Collections.emptyMap()).values().stream()
        .filter(bar -> bar.lay(reading.time - HOUR, reading.time))
        .sorted(Bar.ORDER).collect(Collectors.toList());
  }

  private Map<String, Object> queue(Row queue, List<Bar> laid) {
    List<Row> starting = reading.rows(Attribute.STARTING, queue.text(Column.QUEUE));
    List<Row> line = reading.rows(Attribute.LINE, queue.text(Column.QUEUE));
    List<Row> pending = reading.rows(Attribute.PENDING, queue.text(Column.QUEUE));
    // The tables end somewhere; the queue counts all.
    return JsonText.document("queue", queue.text(Column.QUEUE),
        "summary", queue.summary(), "facts", queue.facts(), "bars", bars(laid), "starting",
        documents(starting), "inStarting", Math.max(queue.number(Column.STARTING), starting.size()),
        "line", documents(line), "inLine", Math.max(queue.number(Column.ACCEPTED), line.size()), "pending",
        documents(pending), "inOwnList", Math.max(queue.number(Column.PENDING_ACTIVATION), pending.size()));
  }

  private static List<Object> documents(List<Row> rows) {
    return rows.stream().limit(MOST_ROWS).map(Picture::application).collect(Collectors.toList());
  }

  private Map<String, Object> bars(List<Bar> laid) {
    long now = reading.time;
    long first = laid.stream().mapToLong(Bar::first).min().orElse(now);
    long minutes = LongStream.of(MINUTES).filter(each -> now - first <= TimeUnit.MINUTES.toMillis(each))
        .findFirst().orElse(MINUTES[MINUTES.length - 1]);
    // Where the interest is: the first that starts, else the first in line, else the last.
    Bar middle = laid.stream().filter(bar -> bar.is(Wire.STARTING)).findFirst()
        .orElse(laid.stream().filter(bar -> bar.is(Wire.ACCEPTED)).findFirst().orElse(null));
    int current = middle == null ? Math.max(0, laid.size() - 1) : laid.indexOf(middle);
    int begin = Math.max(0, current - MOST_BARS);
    return JsonText.document("from", now - TimeUnit.MINUTES.toMillis(minutes), "to", now,
        "minutes", minutes, "current", current - begin, "total", laid.size(),
        "rows", laid.subList(begin, Math.min(laid.size(), current + MOST_BARS)).stream()
            .map(Bar::document).collect(Collectors.toList()));
  }

  private static Map<String, Object> application(Row row) {
    long most = row.number(Column.AT_MOST_SECONDS);
    Map<String, Object> document = JsonText.document("for", Times.duration(row.number(Column.SECONDS)),
        "atMost", most > 0 ? Times.duration(most) : "", "place", row.number(Column.PLACE), "startsIn",
        Times.range(row.number(Column.STARTS_IN_LOW_SECONDS), row.number(Column.STARTS_IN_HIGH_SECONDS)),
        "asks", row.asked());
    for (Column column : TEXTS) {
      document.put(column.toString(), row.text(column));
    }
    return document;
  }
}
