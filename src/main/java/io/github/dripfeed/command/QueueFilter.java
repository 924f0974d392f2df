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

import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import java.util.List;
import java.util.stream.Collectors;

/** The queues that {@code --queue} names: by its path, by the end of it, or by that of a parent. */
final class QueueFilter {

  private static final int MOST_NAMED = 20;

  private final String queue;

  /** @param queue the value of the option; null for all queues */
  QueueFilter(String queue) {
    this.queue = queue;
  }

  boolean matches(String path) {
    return queue == null || path.equals(queue) || path.endsWith("." + queue)
        || path.startsWith(queue + ".") || path.contains("." + queue + ".");
  }

  /** @throws Problem if nothing is known of such a queue: neither now, nor by what happened */
  void requireKnown(List<Row> events, List<Row> queues) throws Problem {
    if (events.stream().noneMatch(event -> matches(event.text("queue")))) {
      of(queues);
    }
  }

  /** @throws Problem if none of these queues is meant */
  List<Row> of(List<Row> queues) throws Problem {
    List<Row> found = Reading.where(queues, row -> matches(row.text("queue")));
    if (found.isEmpty() && queue != null) {
      throw new Problem(Problem.NOT_FOUND, "No queue '" + queue + "' under Dripfeed; "
          + (queues.isEmpty() ? "none has an application yet, or the ResourceManager still recovers them"
              : "there are " + queues.stream().limit(MOST_NAMED)
              .map(row -> row.text("queue")).collect(Collectors.joining(", "))
              + (queues.size() > MOST_NAMED ? " and more" : "")));
    }
    return found;
  }
}
