// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import com.sun.net.httpserver.HttpServer;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Problem;
import java.io.IOException;
import java.math.BigInteger;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

/** Serves the page on 127.0.0.1, until it is closed. */
public final class PageServer implements AutoCloseable {

  private static final int THREADS = 8;
  /** The property of the JDK's server for the longest time in which a request must have arrived. */
  private static final String MOST_SECONDS = "sun.net.httpserver.maxReqTime";
  private static final int KEY_BITS = 128;
  private static final int RADIX = 36;
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final HttpServer server;
  private final ExecutorService pages;
  private final ExecutorService questions;
  private final Latest latest;
  private final String key = new BigInteger(KEY_BITS, new SecureRandom()).toString(RADIX);

  /**
   * Binds the port; nothing is served yet.
   *
   * @param port 0 for any that is free
   * @param zone that of the times that the page shows
   * @param queues whether the queue of this path is shown
   * @throws Problem if the port cannot be had
   */
  public PageServer(int port, ZoneId zone, Source source, Predicate<String> queues)
      throws Problem {
    try {
      // Else some requests that never end would keep the owner of the page out.
      if (System.getProperty(MOST_SECONDS) == null) {
        System.setProperty(MOST_SECONDS, "5");
      }
      server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), 0);
      ThreadFactory daemons = work -> {
        Thread thread = new Thread(work, "dripfeed-view");
        thread.setDaemon(true);
        return thread;
      };
      pages = Executors.newFixedThreadPool(THREADS, daemons);
      questions = Executors.newSingleThreadExecutor(daemons);
      latest = new Latest(source, reading -> new Picture(reading, zone, queues).document(),
          questions, System::currentTimeMillis);
      server.createContext("/", new PageHandler(key,
          () -> JsonText.of(latest.document(), true)));
      server.setExecutor(pages);
    } catch (BindException e) {
      throw new Problem(Problem.WRONG_CALL, "--port = '" + port + "': " + e.getMessage()
          + "; another port, or none for any that is free", e);
    } catch (IOException e) {
      throw new Problem(Problem.WRONG_CALL, "The page cannot be served: " + e.getMessage(), e);
    }
  }

  /**
   * Serves, in threads of its own.
   *
   * @param first what the page shows first
   */
  public void start(Reading first) {
    latest.first(first);
    server.start();
  }

  /** The address of the page, with the key that it needs. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + key + "/";
  }

  @Override
  public void close() {
    server.stop(0);
    pages.shutdownNow();
    questions.shutdownNow();
  }
}
