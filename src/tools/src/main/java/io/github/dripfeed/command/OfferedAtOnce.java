// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.QueueRoom;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Who of a queue's line would be offered at once with so many slots, and the room for these drivers. */
final class OfferedAtOnce {

  /** Those of one partition, which has slots and room of its own. */
  static final class Part {

    final String partition;
    final List<Row> offered = new ArrayList<>();
    /** Those that take a slot. */
    final long starting;
    /** Those of other queues that take one before they start, because a node is reserved for them. */
    final long reserved;
    final OptionalLong memoryMb;
    final OptionalLong vcores;
    private final int slots;
    private int takenBack;
    private int atUserLimit;

    Part(String partition, long starting, long reserved, int slots, QueueRoom room) {
      this.partition = partition;
      this.starting = starting;
      this.reserved = reserved;
      this.slots = slots;
      this.memoryMb = room.memoryMb(partition);
      this.vcores = room.vcores(partition);
    }

    private void add(Row row) {
      if (row.number("place") <= 0) {
        // One that was taken back has no place until its next try.
        takenBack++;
      } else if (Wording.isUserLimit(row.text("reason"))) {
        // YARN passes it over, and offers the next one.
        atUserLimit++;
      } else if (isSlotFree()) {
        offered.add(row);
      }
    }

    /** Whether one more would be offered, if there were one. */
    boolean isSlotFree() {
      return starting + reserved + offered.size() < slots;
    }

    /** What their drivers ask for together; -1 if that is unknown of one of them. */
    long asked(String column) {
      return offered.stream().anyMatch(row -> row.number(column) < 0) ? -1
          : offered.stream().mapToLong(row -> row.number(column)).sum();
    }

    boolean isRoomKnown() {
      return memoryMb.isPresent() && vcores.isPresent() && asked("memoryMb") >= 0 && asked("vcores") >= 0;
    }

    boolean isMemoryEnough() {
      return asked("memoryMb") <= memoryMb.getAsLong();
    }

    boolean isVcoresEnough() {
      return asked("vcores") <= vcores.getAsLong();
    }
  }

  private final Map<String, Part> parts = new LinkedHashMap<>();
  private final QueueLine line;

  /**
   * @param queue the row of the queue
   * @param sharing the paths of all queues that count their starting applications together with it
   */
  OfferedAtOnce(Reading reading, Row queue, Set<String> sharing, QueueRoom room, int slots) {
    line = new QueueLine(Reading.of(queue.text("queue"), reading.line()), queue.number("accepted"));
    List<Row> starting = Reading.where(reading.starting(),
        row -> sharing.contains(row.text("queue")) && !row.is("takesSlot", "no"));
    // One of this queue is offered, or kept, itself.
    List<Row> reserved = Reading.where(reading.line(), row -> sharing.contains(row.text("queue"))
        && !row.is("queue", queue.text("queue")) && row.is("takesSlot", "yes"));
    for (Row row : line.rows()) {
      parts.computeIfAbsent(row.text("partition"), partition -> new Part(partition,
          of(partition, starting), of(partition, reserved), slots, room)).add(row);
    }
  }

  private static long of(String partition, List<Row> rows) {
    return rows.stream().filter(row -> row.is("partition", partition)).count();
  }

  /** The partitions for whose nodes somebody waits. */
  Iterable<Part> parts() {
    return parts.values();
  }

  int count() {
    return parts.values().stream().mapToInt(part -> part.offered.size()).sum();
  }

  /** How many wait beyond the end of the table of lines. */
  long notTold() {
    return line.more();
  }

  /** How many of those that wait the table tells. */
  int told() {
    return line.rows().size();
  }

  /** Whether of those that the table does not tell some may be offered, too. */
  boolean mayOfferMore() {
    return notTold() > 0 && parts.values().stream().anyMatch(Part::isSlotFree);
  }

  /** Why none of those that wait is offered, after "Nobody would be offered at once: ". */
  String whyNobody(int slots) {
    if (parts.values().stream().noneMatch(Part::isSlotFree)) {
      return "with " + Wording.count(slots, "slot") + " none is free.";
    }
    int back = parts.values().stream().mapToInt(part -> part.takenBack).sum();
    int limited = parts.values().stream().mapToInt(part -> part.atUserLimit).sum();
    String all = notTold() == 0 && parts.values().stream().allMatch(Part::isSlotFree) ? "all that wait"
        : "all that a slot is free for";
    return back > 0 && limited > 0
        ? all + " were taken back, and are offered again at their next try, or their users are at the user"
            + " limit."
        : limited > 0 ? "the users of " + all + " are at the user limit."
        : all + " were taken back, and are offered again at their next try.";
  }
}
