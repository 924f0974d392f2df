// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.wire.Wire.Column;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The queues that {@code --queue} names: by its path, by the end of it, or by that of a parent. */
final class QueueFilter {

  static final String OPTION = "--queue";
  private static final int MOST_NAMED = 20;

  private final String queue;

  /** @param queue the value of the option; null for all queues */
  QueueFilter(String queue) throws Problem {
    if (queue != null && !queue.matches("[^\\s\\p{Cntrl}]{1,1000}")) {
      throw Problem.wrong(OPTION, queue, "is the path of a queue, such as root.batch");
    }
    this.queue = queue;
  }

  boolean matches(String path) {
    return queue == null || path.equals(queue) || path.endsWith("." + queue)
        || path.startsWith(queue + ".") || path.contains("." + queue + ".");
  }

  /** @throws Problem if none of these queues is meant */
  List<Row> of(List<Row> queues) throws Problem {
    return of(queues, row -> row.text(Column.QUEUE), " under Dripfeed");
  }

  /**
   * The same for what has a path.
   *
   * @param kind of what queues there are none but these
   */
  <T> List<T> of(List<T> queues, Function<T, String> path, String kind) throws Problem {
    List<T> found = queues.stream().filter(each -> matches(path.apply(each))).collect(Collectors.toList());
    if (found.isEmpty() && queue != null) {
      throw new Problem(Problem.NOT_FOUND, "No queue '" + queue + "'" + kind + "; "
          + (queues.isEmpty() ? "there is none" : "there are "
              + Text.some(queues.stream().map(path).collect(Collectors.toList()), MOST_NAMED)));
    }
    return found;
  }
}
