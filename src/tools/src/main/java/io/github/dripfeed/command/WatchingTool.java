// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** A command that shows queues as they are now, once or again and again. */
abstract class WatchingTool extends AskingTool {

  private static final String INTERVAL = "--interval";

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH",
      description = "only this queue (or all below this parent)")
  private String queue;
  @Option(names = "--watch", description = "again and again, until Ctrl-C; with --json a line each")
  private boolean watch;
  @Option(names = INTERVAL, paramLabel = "S", description = "with --watch: every so many seconds (2)")
  private String interval = "2";

  @Override
  final int ask() throws Problem {
    QueueFilter filter = new QueueFilter(queue);
    int seconds = number(INTERVAL, interval, 1, MOST_SECONDS);
    int exitCode = show(filter);
    while (watch && !terminal.out.checkError()) {
      try {
        TimeUnit.SECONDS.sleep(seconds);
        terminal.measure();
        show(filter);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      } catch (Problem e) {
        // A ResourceManager that restarts comes back.
        print(e.document(), true, Collections.singletonList(
            terminal.home() + terminal.in(Terminal.Colour.BAD, Text.safe(e.getMessage()))));
      }
    }
    return exitCode;
  }

  /** Asks, and shows these queues. */
  abstract int show(QueueFilter filter) throws Problem;

  /** Shows a document, or these lines; on a terminal, {@code --watch} has them over the ones before. */
  final void show(Object document, List<String> lines) {
    List<String> shown = new ArrayList<>(lines);
    if (watch && terminal.live) {
      int most = Math.max(1, terminal.height() - 2);
      if (lines.size() > most) {
        shown.subList(most, lines.size()).clear();
        shown.add("... " + Text.count((long) lines.size() - most, "more line") + "; all of them without"
            + " --watch");
      }
      shown = Collections.singletonList(terminal.home() + String.join(System.lineSeparator(), shown));
    }
    print(document, watch, shown);
  }
}
