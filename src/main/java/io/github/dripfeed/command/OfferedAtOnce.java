/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
    final int starting;
    final OptionalLong memoryMb;
    final OptionalLong vcores;

    Part(String partition, int starting, QueueRoom room) {
      this.partition = partition;
      this.starting = starting;
      this.memoryMb = room.memoryMb(partition);
      this.vcores = room.vcores(partition);
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

  /**
   * @param queue the path of the queue
   * @param sharing the paths of all queues that count their starting applications together with it
   */
  OfferedAtOnce(Reading reading, String queue, Set<String> sharing, QueueRoom room, int slots) {
    for (Row row : Reading.of(queue, reading.line())) {
      Part part = parts.computeIfAbsent(row.text("partition"), partition -> new Part(partition,
          Reading.where(reading.starting(), each -> sharing.contains(each.text("queue"))
              && each.is("partition", partition)).size(), room));
      // One that was taken back has no place until its next try.
      if (row.number("place") > 0 && part.starting + part.offered.size() < slots) {
        part.offered.add(row);
      }
    }
  }

  /** The partitions for whose nodes somebody waits. */
  Iterable<Part> parts() {
    return parts.values();
  }

  int count() {
    return parts.values().stream().mapToInt(part -> part.offered.size()).sum();
  }
}
