// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.view.PageServer;
import io.github.dripfeed.terminal.Terminal;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** {@code view}: the lines of a ResourceManager as a page for a browser on this host. */
final class ViewCommand implements Command {

  private static final int MOST_PORT = 65_535;

  @Override
  public String usage() {
    return "Usage: view [--rm URL] [options]\n"
        + "  Serves a page for a browser on this host, until Ctrl-C: for each queue under Dripfeed the\n"
        + "  last hour of applications as bars, who is starting, the line in order with reasons and\n"
        + "  when each will probably start, and YARN's own list. It follows by itself, and only reads.\n"
        + "  The page is on 127.0.0.1 alone, and its address has a key that nobody else is told.\n"
        + "  From another host: ssh -L 8099:127.0.0.1:8099 HOST, with --port 8099 here.\n"
        + "  --port N         serve it on this port (any that is free)\n"
        + "  --queue PATH     only this queue (or all below this parent)\n"
        + "  --json           a document with the address on one line, whatever the outcome\n"
        + Call.USAGE
        + "Exit codes: 130 ended by Ctrl-C, 1 no such queue under Dripfeed,\n" + Call.EXIT_CODES;
  }

  @Override
  public int run(List<String> arguments, Terminal terminal) throws Problem {
    Call call = new Call(arguments, Collections.singletonList(Call.JSON),
        Arrays.asList("--port", "--queue"), terminal);
    call.options().requireNoArguments();
    QueueFilter filter = new QueueFilter(call.options().queue());
    int port = call.options().number("--port", 0, MOST_PORT, 0);
    Reading first = call.read();
    filter.of(first.queues());
    try (PageServer server = new PageServer(
        port, Call.zone(), call.resourceManagers()::read, filter::matches)) {
      server.start(first);
      tell(call, server.url(), first);
      // Until the process is ended.
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private static void tell(Call call, String url, Reading first) {
    if (call.isJson()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("exitCode", 0);
      document.put("url", url);
      document.put("resourceManager", first.address().toString());
      call.print(document, true);
    } else {
      call.terminal().out().println("The queues of " + first.address() + ", for a browser on this host:\n  "
          + url + "\nCtrl-C ends it.");
      call.terminal().out().flush();
    }
  }
}
