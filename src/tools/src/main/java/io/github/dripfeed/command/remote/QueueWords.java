// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows in words: how a queue is, and what a driver asks for. */
public final class QueueWords {

  private static final long MEGABYTES = 1024;

  private QueueWords() {
  }

  /** {@code 1 starting (at most 1), 3 in line (3 for a slot, 0 for room), 2 running}, and the like. */
  public static String summary(Row queue) {
    long forSlot = Math.max(0, queue.number(Column.WAITING_FOR_SLOT));
    long forRoom = Math.max(0, queue.number(Column.WAITING_FOR_ROOM));
    return queue.number(Column.STARTING) + " starting" + (queue.number(Column.MAX_STARTING) <= 0 ? ""
        : " (at most " + queue.number(Column.MAX_STARTING)
            + (queue.is(Column.PARALLEL_START, "headroom") ? ", more while there is room)" : ")"))
        + ", " + queue.number(Column.ACCEPTED) + " in line"
        + (forSlot + forRoom == 0 ? "" : " (" + forSlot + " for a slot, " + forRoom + " for room)")
        + ", " + queue.number(Column.RUNNING) + " running" + some(queue, Column.TAKEN_BACK, " taken back")
        + some(queue, Column.PENDING_ACTIVATION, " in YARN's own list");
  }

  private static String some(Row queue, Column column, String what) {
    return queue.number(column) <= 0 ? "" : ", " + queue.number(column) + what;
  }

  /** Its settings that are not the default, and how it moves. */
  public static String facts(Row queue) {
    return joined("; ", queue.text(Column.CHANGED_SETTINGS), pace(queue));
  }

  private static String joined(String separator, String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(separator));
  }

  /** What a driver asks for: {@code 2 GB, 1 vcore}; empty if it is unknown. */
  public static String asked(Row row) {
    long memory = row.number(Column.MEMORY_MB);
    long vcores = row.number(Column.VCORES);
    return joined(", ", memory <= 0 ? ""
        : memory % MEGABYTES == 0 ? memory / MEGABYTES + " GB" : memory + " MB",
        vcores <= 0 ? "" : vcores + (vcores == 1 ? " vcore" : " vcores"), row.text(Column.RESOURCES));
  }

  /** {@code the last 20 starts came 25 to 50 s apart}; empty if too few are known. */
  public static String pace(Row queue) {
    long starts = queue.number(Column.STARTS_COUNTED);
    long most = queue.number(Column.START_INTERVAL_HIGH_SECONDS);
    return starts <= 0 || most < 0 ? ""
        : (starts == 1 ? "the last start came " : "the last " + starts + " starts came ")
            + Times.apart(queue.number(Column.START_INTERVAL_LOW_SECONDS), most);
  }
}
