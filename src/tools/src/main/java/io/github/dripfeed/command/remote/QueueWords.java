// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Times;
import java.util.ArrayList;
import java.util.List;

/** How a queue is, in words, from its row. */
public final class QueueWords {

  private QueueWords() {
  }

  /** {@code 1 starting (at most 1), 3 in line (3 for a slot, 0 for room), 2 running}, and the like. */
  public static String summary(Row queue) {
    StringBuilder text = new StringBuilder().append(queue.number("starting")).append(" starting");
    if (queue.number("maxStarting") > 0) {
      text.append(" (at most ").append(queue.number("maxStarting"))
          .append(queue.is("parallelStart", "headroom") ? ", more while there is room)" : ")");
    }
    text.append(", ").append(queue.number("accepted")).append(" in line");
    boolean forRoom = queue.number("waitingForRoom") > 0;
    if (queue.number("waitingForSlot") > 0 || forRoom) {
      text.append(" (").append(Math.max(0, queue.number("waitingForSlot"))).append(" for a slot, ")
          .append(Math.max(0, queue.number("waitingForRoom"))).append(" for room)");
    }
    text.append(", ").append(queue.number("running")).append(" running");
    if (queue.number("takenBack") > 0) {
      text.append(", ").append(queue.number("takenBack")).append(" taken back");
    }
    if (queue.number("pendingActivation") > 0) {
      text.append(", ").append(queue.number("pendingActivation")).append(" in YARN's own list");
    }
    return text.toString();
  }

  /** Its settings that are not the default, and how it moves. */
  public static String facts(Row queue) {
    List<String> facts = new ArrayList<>();
    facts.add(queue.text("changedSettings"));
    facts.add(pace(queue));
    facts.removeIf(String::isEmpty);
    return String.join("; ", facts);
  }

  /** {@code the last 20 starts came 25 to 50 s apart}; empty if too few are known. */
  public static String pace(Row queue) {
    long starts = queue.number("startsCounted");
    long most = queue.number("startIntervalHighSeconds");
    return starts <= 0 || most < 0 ? ""
        : (starts == 1 ? "the last start came " : "the last " + starts + " starts came ")
            + Times.apart(queue.number("startIntervalLowSeconds"), most);
  }
}
