// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.core.forecast.RecordedStart;
import io.github.dripfeed.core.forecast.StartReplay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The starts of some queues as the events tell them, and the same with another number of slots. Of one that
 * was starting already when the events begin it is not known how long it waited: it holds its slot, and its
 * wait does not count.
 */
final class RecordedWaits {

  private final Map<RecordedStart, Boolean> isWaitKnown = new HashMap<>();
  private final StartReplay replay;

  RecordedWaits(Reading reading, Set<String> queues) {
    Map<String, Row> started = new HashMap<>();
    List<RecordedStart> starts = new ArrayList<>();
    for (Row event : Reading.where(
        reading.eventsWithoutHole(), event -> queues.contains(event.text("queue")))) {
      if (event.is("to", "STARTING")) {
        started.put(event.text("attempt"), event);
      } else if (event.is("from", "STARTING")) {
        add(started.remove(event.text("attempt")), event, starts);
      }
    }
    for (Row row : Reading.where(reading.starting(), row -> queues.contains(row.text("queue")))) {
      Row start = started.remove(row.text("attempt"));
      if (start != null) {
        add(start, reading.time(), starts);
      }
    }
    replay = new StartReplay(starts);
  }

  private void add(Row start, Row end, List<RecordedStart> starts) {
    if (start != null) {
      add(start, end.number("time"), starts);
    } else if (end.number("milliseconds") >= 0) {
      long time = end.number("time");
      long since = time - end.number("milliseconds");
      add(new RecordedStart(since, since, time), false, starts);
    }
  }

  private void add(Row start, long end, List<RecordedStart> starts) {
    long time = start.number("time");
    long waited = start.number("milliseconds");
    // The clock may have been set back in between.
    add(new RecordedStart(time - Math.max(0, waited), time, Math.max(time, end)), waited >= 0, starts);
  }

  private void add(RecordedStart start, boolean known, List<RecordedStart> starts) {
    isWaitKnown.put(start, known);
    starts.add(start);
  }

  /** The number of starts whose wait is known. */
  int count() {
    return recorded().size();
  }

  /** How long they waited, in milliseconds. */
  List<Long> recorded() {
    return replay.starts().stream().filter(isWaitKnown::get).map(RecordedStart::waited)
        .collect(Collectors.toList());
  }

  /** How long they were starting, in milliseconds. */
  List<Long> held() {
    return replay.starts().stream().filter(isWaitKnown::get).map(RecordedStart::held)
        .collect(Collectors.toList());
  }

  /** How long they would have waited with so many slots. */
  List<Long> with(int slots) {
    long[] waits = replay.waits(slots);
    List<RecordedStart> starts = replay.starts();
    return IntStream.range(0, waits.length).filter(i -> isWaitKnown.get(starts.get(i)))
        .mapToObj(i -> waits[i]).collect(Collectors.toList());
  }
}
