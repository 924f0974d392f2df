// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.QueueRoom;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.terminal.Progress;
import io.github.dripfeed.terminal.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code what-if}: another {@code max-starting} in a queue, for what was and for who waits now. */
final class WhatIfCommand implements Command {

  private static final String QUEUE = "--queue";
  private static final String SLOTS = "--max-starting";
  private static final int MOST_SLOTS = 10_000;
  private static final int MOST_NAMED = 20;

  @Override
  public String usage() {
    return "Usage: what-if [--rm URL] --queue PATH --max-starting N [options]\n"
        + "  Says what max-starting = N would do in a queue, and changes nothing. For the last starts\n"
        + "  of the queue (or its starting-group), as far as the last 1,000 events tell of them: how\n"
        + "  long they waited, and how long they would have waited in a model with the setting as it\n"
        + "  is, and with N. For now: who of the line would be offered at once, and whether the queue\n"
        + "  has room for these drivers.\n"
        + "  The model accepts the applications when they were accepted, starts them in the order in\n"
        + "  which they started, and lets each be starting for as long as it was. Whether its figures\n"
        + "  for the setting as it is are those that were recorded says how far to trust it.\n"
        + "  --queue PATH     the queue\n"
        + "  --max-starting N the number of starting slots, from 1\n"
        + "  --json           machine-readable output, whatever the outcome\n"
        + Call.USAGE
        + "Exit codes: 0 answered, also if too few starts are known; 1 no such queue under Dripfeed,\n"
        + Call.EXIT_CODES;
  }

  @Override
  public int run(List<String> arguments, Terminal terminal) throws Problem {
    Call call =
        new Call(arguments, Collections.singletonList(Call.JSON), Arrays.asList(QUEUE, SLOTS), terminal);
    call.options().requireNoArguments();
    String asked = required(call.options().queue(), QUEUE, "the path of a queue, such as root.batch");
    required(call.options().value(SLOTS), SLOTS, "a number from 1 to " + MOST_SLOTS);
    int slots = call.options().number(SLOTS, 1, MOST_SLOTS, 1);
    Reading reading = call.read();
    Row queue = queue(asked, new QueueFilter(asked).of(reading.queues()));
    String path = queue.text("queue");
    QueueRoom room;
    Progress progress = new Progress(terminal, "Asking " + reading.address() + " for the room of " + path);
    try {
      room = call.resourceManagers().room(reading.address(), path);
    } finally {
      progress.close();
    }
    WhatIf answer = new WhatIf(reading, queue, room, slots);
    if (call.isJson()) {
      call.print(document(reading, answer), false);
    } else {
      new WhatIfText(reading, terminal).of(answer).forEach(terminal.out()::println);
    }
    return 0;
  }

  private static String required(String value, String option, String what) throws Problem {
    if (value == null) {
      throw new Problem(Problem.WRONG_CALL, option + " is missing: " + what);
    }
    return value;
  }

  private static Row queue(String asked, List<Row> found) throws Problem {
    for (Row queue : found) {
      if (queue.is("queue", asked)) {
        return queue;
      }
    }
    if (found.size() > 1) {
      throw new Problem(Problem.WRONG_CALL, "--queue = '" + asked + "' means " + found.size() + " queues;"
          + " allowed is one of " + found.stream().limit(MOST_NAMED).map(row -> row.text("queue"))
              .collect(Collectors.joining(", ")) + (found.size() > MOST_NAMED ? " and more" : ""));
    }
    return found.get(0);
  }

  private static Map<String, Object> document(Reading reading, WhatIf answer) {
    Map<String, Object> document = Call.answer(0, reading);
    document.put("queue", answer.path());
    document.put("queuesTogether", new ArrayList<>(answer.sharing()));
    document.put("maxStarting", answer.slotsNow());
    document.put("maxStartingAsked", answer.slots());
    Map<String, Object> history = new LinkedHashMap<>();
    history.put("knownSince", reading.knownSince());
    history.put("starts", answer.history().count());
    history.put("enough", answer.isHistoryKnown());
    if (answer.isHistoryKnown()) {
      history.put("recorded", waits(answer.history().recorded()));
      history.put("modelAsItIs", waits(answer.history().with(answer.slotsNow())));
      history.put("modelAsked", waits(answer.history().with(answer.slots())));
      history.put("trusted", !answer.isModelWrong());
    }
    history.put("assumptions", answer.assumptions());
    document.put("history", history);
    Map<String, Object> now = new LinkedHashMap<>();
    now.put("offeredAtOnce", answer.now().count());
    now.put("notTold", answer.now().notTold());
    List<Object> parts = new ArrayList<>();
    answer.now().parts().forEach(part -> parts.add(document(part)));
    now.put("partitions", parts);
    document.put("now", now);
    return document;
  }

  private static Map<String, Object> waits(List<Long> waits) {
    Statistics figures = new Statistics(waits);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("medianMilliseconds", figures.median());
    document.put("meanMilliseconds", figures.mean());
    document.put("high95Milliseconds", figures.high());
    return document;
  }

  private static Map<String, Object> document(OfferedAtOnce.Part part) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("partition", part.partition);
    document.put("starting", part.starting);
    document.put("reservedInOtherQueues", part.reserved);
    document.put("offered", part.offered.stream().map(Row::json).collect(Collectors.toList()));
    document.put("driversMemoryMb", part.asked("memoryMb"));
    document.put("driversVcores", part.asked("vcores"));
    document.put("roomKnown", part.isRoomKnown());
    if (part.isRoomKnown()) {
      document.put("roomMemoryMb", part.memoryMb.getAsLong());
      document.put("roomVcores", part.vcores.getAsLong());
      document.put("enoughMemory", part.isMemoryEnough());
      document.put("enoughVcores", part.isVcoresEnough());
    }
    return document;
  }
}
