/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Asked;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Times;
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
  private final Predicate<String> queues;
  private final Function<Row, String> reason;

  /**
   * @param queues whether the queue of this path is shown
   * @param reason the reason of a row of the line, without what the page shows anyway
   */
  Picture(Reading reading, Predicate<String> queues, Function<Row, String> reason) {
    this.reading = reading;
    this.queues = queues;
    this.reason = reason;
  }

  Map<String, Object> document() {
    Map<String, List<Row>> events = byQueue(reading.eventsWithoutHole());
    Map<String, List<Row>> starting = byQueue(reading.starting());
    Map<String, List<Row>> line = byQueue(reading.line());
    Map<String, List<Row>> pending = byQueue(reading.pending());
    List<Object> shown = new ArrayList<>();
    List<String> idle = new ArrayList<>();
    int more = 0;
    for (Row queue : reading.queues()) {
      String path = queue.text("queue");
      if (!queues.test(path)) {
        continue;
      }
      Bars bars = new Bars(reading.time(), of(events, path), of(starting, path), of(line, path));
      if (bars.isEmpty() && of(pending, path).isEmpty()) {
        idle.add(path);
      } else if (shown.size() < MOST_QUEUES) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("queue", path);
        one.put("facts", facts(queue));
        one.put("bars", bars.document());
        one.put("starting", rows(of(starting, path), this::starting));
        one.put("line", rows(of(line, path), this::waiting));
        // The table of the line ends somewhere; the queue counts all.
        one.put("inLine", Math.max(queue.number("accepted"), of(line, path).size()));
        one.put("pending", rows(of(pending, path), this::pending));
        one.put("numbers", numbers(queue));
        shown.add(one);
      } else {
        more++;
      }
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("resourceManager", reading.address().toString());
    document.put("version", reading.version());
    document.put("time", reading.time());
    // Only if that hides something.
    long knownSince = reading.knownSince();
    document.put("knownSince", knownSince > reading.time() - Bars.HOUR ? knownSince : -1);
    document.put("queues", shown);
    document.put("idle", idle.subList(0, Math.min(MOST_QUEUES, idle.size())));
    document.put("idleQueues", idle.size());
    document.put("moreQueues", more);
    return document;
  }

  private static Map<String, List<Row>> byQueue(List<Row> table) {
    Map<String, List<Row>> byQueue = new HashMap<>();
    table.forEach(row -> byQueue.computeIfAbsent(row.text("queue"), path -> new ArrayList<>()).add(row));
    return byQueue;
  }

  private static List<Row> of(Map<String, List<Row>> table, String path) {
    return table.getOrDefault(path, Collections.emptyList());
  }

  private static List<Object> rows(List<Row> rows, Function<Row, Map<String, Object>> document) {
    List<Object> documents = new ArrayList<>();
    rows.stream().limit(MOST_ROWS).forEach(row -> documents.add(document.apply(row)));
    return documents;
  }

  private static Map<String, Object> numbers(Row queue) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    for (String column : new String[] {"accepted", "starting", "running", "takenBack", "pendingActivation",
        "waitingForSlot", "waitingForRoom", "maxStarting"}) {
      numbers.put(column, queue.number(column));
    }
    return numbers;
  }

  private static String facts(Row queue) {
    List<String> facts = new ArrayList<>();
    long starts = queue.number("startsCounted");
    if (starts > 0 && queue.number("startIntervalHighSeconds") >= 0) {
      facts.add((starts == 1 ? "the last start came " : "the last " + starts + " starts came ")
          + Times.apart(
              queue.number("startIntervalLowSeconds"), queue.number("startIntervalHighSeconds")));
    }
    if (!queue.text("changedSettings").isEmpty()) {
      facts.add(queue.text("changedSettings"));
    }
    return String.join("; ", facts);
  }

  private static Map<String, Object> application(Row row) {
    Map<String, Object> document = new LinkedHashMap<>();
    for (String column : new String[] {"application", "name", "user", "type", "partition"}) {
      document.put(column, row.text(column));
    }
    document.put("since", row.number("since"));
    document.put("for", Times.duration(row.number("seconds")));
    return document;
  }

  private Map<String, Object> starting(Row row) {
    Map<String, Object> document = application(row);
    document.put("lacks", row.text("lacks"));
    long most = row.number("atMostSeconds");
    document.put("atMost", most > 0 ? Times.duration(most) : "");
    return document;
  }

  private Map<String, Object> waiting(Row row) {
    Map<String, Object> document = application(row);
    document.put("place", row.number("place"));
    document.put("reason", reason.apply(row));
    document.put("startsIn",
        Times.range(row.number("startsInLowSeconds"), row.number("startsInHighSeconds")));
    document.put("asks", Asked.by(row));
    document.put("priority", row.number("priority"));
    return document;
  }

  private Map<String, Object> pending(Row row) {
    Map<String, Object> document = application(row);
    document.put("reason", row.text("reason"));
    return document;
  }
}
