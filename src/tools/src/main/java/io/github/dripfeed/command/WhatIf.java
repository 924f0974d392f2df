// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.QueueRoom;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What another number of starting slots would do in one queue. */
final class WhatIf {

  /** The number of starts below which the past says nothing. */
  static final int FEWEST = 5;
  /** From this part on, the model and what was recorded differ. */
  private static final double DIFFERENT = 0.2;
  /** Waits that differ by less than this, in milliseconds, are heartbeats. */
  private static final long HEARTBEATS = 2000;

  private final Row queue;
  private final int slots;
  private final Set<String> sharing = new TreeSet<>();
  private final boolean isOthersSettingDifferent;
  private final boolean isLabelled;
  private final RecordedWaits history;
  private final OfferedAtOnce now;

  /** @param slots the number of starting slots that is asked for */
  WhatIf(Reading reading, Row queue, QueueRoom room, int slots) {
    this.queue = queue;
    this.slots = slots;
    String group = queue.text("group");
    List<Row> together = group.isEmpty() ? Reading.of(path(), reading.queues())
        : Reading.where(reading.queues(), row -> row.is("group", group));
    together.forEach(row -> sharing.add(row.text("queue")));
    isOthersSettingDifferent = together.stream().anyMatch(row -> row.number("maxStarting") != slotsNow());
    Set<String> partitions = new TreeSet<>();
    Reading.where(reading.line(), row -> sharing.contains(row.text("queue")))
        .forEach(row -> partitions.add(row.text("partition")));
    Reading.where(reading.starting(), row -> sharing.contains(row.text("queue")))
        .forEach(row -> partitions.add(row.text("partition")));
    isLabelled = partitions.size() > 1;
    history = new RecordedWaits(reading, sharing);
    now = new OfferedAtOnce(reading, queue, sharing, room, slots);
  }

  Row queue() {
    return queue;
  }

  String path() {
    return queue.text("queue");
  }

  /** The paths of the queues that count their starting applications together, that of this one too. */
  Set<String> sharing() {
    return sharing;
  }

  int slotsNow() {
    return (int) Math.max(1, queue.number("maxStarting"));
  }

  int slots() {
    return slots;
  }

  RecordedWaits history() {
    return history;
  }

  OfferedAtOnce now() {
    return now;
  }

  boolean isHistoryKnown() {
    return history.count() >= FEWEST;
  }

  boolean isHeadroom() {
    return queue.is("parallelStart", "headroom");
  }

  /** Whether the model with the setting as it is tells other waits than those that were recorded. */
  boolean isModelWrong() {
    long recorded = new Statistics(history.recorded()).mean();
    long difference = Math.abs(new Statistics(history.with(slotsNow())).mean() - recorded);
    return difference > HEARTBEATS && difference > DIFFERENT * recorded;
  }

  /** What has to hold for the model to be right, as sentences. */
  List<String> assumptions() {
    List<String> all = new ArrayList<>();
    all.add("The queue has room for the further drivers and for their first executors.");
    all.add("An application is starting for no longer beside others.");
    all.add("max-starting was " + slotsNow() + " all the time.");
    if (isHeadroom()) {
      all.add("The model knows slots alone. With parallel-start = headroom applications also start beyond"
          + " the slots, while there is room: what was recorded may be shorter than in the model. A larger"
          + " max-starting lets so many start without asking whether there is room.");
    }
    if (!queue.text("group").isEmpty()) {
      all.add("The slots are those of the group " + queue.text("group") + ", and so are the starts ("
          + String.join(", ", sharing) + "). Each of these queues judges by its own max-starting; "
          + (isOthersSettingDifferent ? "now they differ, and the model" : "the model")
          + " takes them as equal.");
    }
    if (isLabelled) {
      all.add("There are slots for each node label, and the events do not tell the label: the model has"
          + " them once for all labels.");
    }
    return all;
  }
}
