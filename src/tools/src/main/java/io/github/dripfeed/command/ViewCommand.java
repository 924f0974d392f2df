// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.view.PageServer;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code view}: the lines of a ResourceManager as a page for a browser on this host. */
@Command(name = "view",
    description = {
        "Serves a page for a browser on this host, until Ctrl-C.",
        "For each queue under Dripfeed it has the last hour of applications as bars, who is starting, the"
            + " line in order with reasons and when each will probably start, and YARN's own list. It"
            + " follows by itself, and only reads. It is on 127.0.0.1 alone, and its address has a key"
            + " that nobody else is told. From another host: ssh -L 8099:127.0.0.1:8099 HOST, with"
            + " --port 8099 here. With --json the address is in a document on one line."},
    footer = "Exit codes: 130 ended by Ctrl-C, 1 no such queue under Dripfeed, " + AskingTool.EXIT_CODES)
final class ViewCommand extends AskingTool {

  private static final String PORT = "--port";

  @Option(names = PORT, paramLabel = "N", description = "serve it on this port (any that is free)")
  private String port = "0";
  @Option(names = QueueFilter.OPTION, paramLabel = "PATH",
      description = "only this queue (or all below this parent)")
  private String queue;

  @Override
  int ask() throws Problem {
    QueueFilter filter = new QueueFilter(queue);
    int number = number(PORT, port, 0, 65_535);
    Reading first = read();
    filter.of(first.queues());
    try (PageServer server = new PageServer(number, first, resourceManagers::read, filter::matches)) {
      print(JsonText.document("exitCode", 0, "url", server.url(),
          "resourceManager", first.address.toString()), true,
          Arrays.asList("The queues of " + first.address + ", for a browser on this host:",
              "  " + server.url(), "Ctrl-C ends it."));
      // Until the process is ended; without its address, the page is for nobody.
      if (!terminal.out.checkError()) {
        new CountDownLatch(1).await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }
}
