// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A command that shows queues as they are now, once or again and again. */
abstract class WatchingTool extends AskingTool {

  private static final String INTERVAL = "--interval";

  @Option(names = QueueFilter.OPTION, paramLabel = "PATH",
      description = "only this queue (or all below this parent)")
  private String queue;
  @Option(names = "--watch", description = "again and again, until Ctrl-C; with --json a line each")
  boolean watch;
  @Option(names = INTERVAL, paramLabel = "S", description = "with --watch: every so many seconds (2)")
  private String interval = "2";

  WatchingTool(Terminal terminal) {
    super(terminal);
  }

  @Override
  final int ask() throws Problem {
    QueueFilter filter = new QueueFilter(queue);
    int seconds = Values.number(INTERVAL, interval, 1, MOST_SECONDS);
    int exitCode = show(filter);
    while (watch && !terminal.out().checkError()) {
      try {
        TimeUnit.SECONDS.sleep(seconds);
        terminal.measure();
        show(filter);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return 0;
      } catch (Problem e) {
        // A ResourceManager that restarts comes back.
        terminal.out().println(isJson() ? JsonText.of(e.document(), true)
            : terminal.home() + terminal.in(Terminal.Colour.BAD, Text.safe(e.getMessage())));
      }
    }
    return exitCode;
  }

  /** Asks, and shows these queues. */
  abstract int show(QueueFilter filter) throws Problem;

  /** Shows these lines; on a terminal, {@code --watch} has them over the ones before. */
  final void show(List<String> lines) {
    boolean live = watch && terminal.isLive();
    int most = live ? Math.max(1, terminal.height() - 2) : lines.size();
    String text = lines.stream().limit(most).map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
    terminal.out().print((live ? terminal.home() : "") + text + (lines.size() <= most ? ""
        : "... " + Text.count((long) lines.size() - most, "more line") + "; all of them without --watch"
            + System.lineSeparator()));
  }
}
