// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.List;

/** How a queue is, in words, from its row. */
public final class QueueWords {

  private QueueWords() {
  }

  /** {@code 1 starting (at most 1), 3 in line (3 for a slot, 0 for room), 2 running}, and the like. */
  public static String summary(Row queue) {
    StringBuilder text = new StringBuilder().append(queue.number(Column.STARTING)).append(" starting");
    if (queue.number(Column.MAX_STARTING) > 0) {
      text.append(" (at most ").append(queue.number(Column.MAX_STARTING))
          .append(queue.is(Column.PARALLEL_START, "headroom") ? ", more while there is room)" : ")");
    }
    text.append(", ").append(queue.number(Column.ACCEPTED)).append(" in line");
    boolean forRoom = queue.number(Column.WAITING_FOR_ROOM) > 0;
    if (queue.number(Column.WAITING_FOR_SLOT) > 0 || forRoom) {
      text.append(" (").append(Math.max(0, queue.number(Column.WAITING_FOR_SLOT))).append(" for a slot, ")
          .append(Math.max(0, queue.number(Column.WAITING_FOR_ROOM))).append(" for room)");
    }
    text.append(", ").append(queue.number(Column.RUNNING)).append(" running");
    if (queue.number(Column.TAKEN_BACK) > 0) {
      text.append(", ").append(queue.number(Column.TAKEN_BACK)).append(" taken back");
    }
    if (queue.number(Column.PENDING_ACTIVATION) > 0) {
      text.append(", ").append(queue.number(Column.PENDING_ACTIVATION)).append(" in YARN's own list");
    }
    return text.toString();
  }

  /** Its settings that are not the default, and how it moves. */
  public static String facts(Row queue) {
    List<String> facts = new ArrayList<>();
    facts.add(queue.text(Column.CHANGED_SETTINGS));
    facts.add(pace(queue));
    facts.removeIf(String::isEmpty);
    return String.join("; ", facts);
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
