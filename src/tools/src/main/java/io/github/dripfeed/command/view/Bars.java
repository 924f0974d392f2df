// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The applications of one queue over the last hour, as the demo's picture shows them. For one thread. */
final class Bars {

  /** What is shown, in milliseconds. */
  static final long HOUR = TimeUnit.HOURS.toMillis(1);
  /** The lengths of the picture, in minutes: the shortest that all fits into. */
  private static final int[] MINUTES = {5, 10, 15, 30};
  /** So many bars before the one that starts, and from it on, are served. */
  private static final int MOST_BEFORE = 300;
  private static final int MOST_AFTER = 300;

  private final long now;
  private final List<Bar> bars = new ArrayList<>();

  /**
   * @param now milliseconds since the epoch, on the ResourceManager's clock
   * @param queue the path of the queue
   * @param history what happened in the queue, oldest first, and the rows of other queues that tell that an
   *     attempt has left this one
   */
  Bars(long now, String queue, List<Row> history, List<Row> starting, List<Row> line) {
    this.now = now;
    Map<String, Bar> all = new LinkedHashMap<>();
    history.forEach(row -> {
      if (row.is(Column.QUEUE, queue)) {
        bar(all, row).event(row);
      } else {
        bar(all, row).moved(row);
      }
    });
    starting.forEach(row -> bar(all, row).starting(row));
    line.forEach(row -> bar(all, row).waiting(row));
    all.values().stream().filter(bar -> bar.lay(now - HOUR, now)).forEach(bars::add);
    bars.sort(Bar.ORDER);
  }

  private static Bar bar(Map<String, Bar> all, Row row) {
    return all.computeIfAbsent(row.text(Column.APPLICATION), Bar::new);
  }

  boolean isEmpty() {
    return bars.isEmpty();
  }

  Map<String, Object> document() {
    long first = bars.stream().mapToLong(Bar::first).min().orElse(now);
    long length = HOUR;
    for (int i = MINUTES.length - 1; i >= 0; i--) {
      long minutes = TimeUnit.MINUTES.toMillis(MINUTES[i]);
      length = now - first <= minutes ? minutes : length;
    }
    int current = current();
    int begin = Math.max(0, current - MOST_BEFORE);
    int end = Math.min(bars.size(), current + MOST_AFTER);
    return JsonText.document("from", now - length, "to", now,
        "minutes", TimeUnit.MILLISECONDS.toMinutes(length), "current", current - begin,
        "total", bars.size(), "rows",
        bars.subList(begin, end).stream().map(Bar::document).collect(Collectors.toList()));
  }

  /** Where the interest is: the first that starts, else the first in line, else the last. */
  private int current() {
    for (String state : new String[] {Track.STARTING, Track.ACCEPTED}) {
      for (int i = 0; i < bars.size(); i++) {
        if (bars.get(i).is(state)) {
          return i;
        }
      }
    }
    return Math.max(0, bars.size() - 1);
  }
}
