// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.commons.io.IOUtils;

/**
 * Serves the page on 127.0.0.1, until it is closed. Only requests are answered that read, name this host as
 * a loopback one (those of a foreign page whose name leads here do not), and know the key that only the
 * caller of the command was told.
 */
public final class PageServer implements AutoCloseable {

  private static final int THREADS = 8;
  /** The property of the JDK's server for the longest time in which a request must have arrived. */
  private static final String MOST_SECONDS = "sun.net.httpserver.maxReqTime";
  private static final Pattern LOOPBACK =
      Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");
  private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src"
      + " 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final List<String> FILES =
      Arrays.asList("view.html", "view.css", "view.js", "chart.js", "icon.svg");

  private final HttpServer server;
  private final ExecutorService pages;
  private final Latest latest;
  private final String key = UUID.randomUUID().toString();

  /**
   * Serves, in threads of its own.
   *
   * @param first what is shown first; one thread at a time asks the source for the next
   * @param queues whether the queue of this path is shown
   */
  public PageServer(int port, Reading first, Callable<Reading> source, Predicate<String> queues)
      throws Problem {
    try {
      // Else some requests that never end would keep the owner of the page out.
      if (System.getProperty(MOST_SECONDS) == null) {
        System.setProperty(MOST_SECONDS, "5");
      }
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    } catch (IOException e) {
      throw new Problem(Problem.WRONG_CALL, "--port = '" + port + "': " + e.getMessage()
          + "; another port, or none for any that is free", e);
    }
    pages = Executors.newFixedThreadPool(THREADS);
    latest = new Latest(Picture.of(first, queues), () -> Picture.of(source.call(), queues),
        question -> new Thread(question, "dripfeed-view").start(), System::currentTimeMillis);
    server.createContext("/", this::answer);
    server.setExecutor(pages);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    List<String> hosts = exchange.getRequestHeaders().get("Host");
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    if (hosts == null || hosts.size() != 1
        || !LOOPBACK.matcher(hosts.get(0).toLowerCase(Locale.ROOT)).matches()) {
      refuse(exchange, HttpURLConnection.HTTP_FORBIDDEN, "Only for localhost and 127.0.0.1.");
    } else if (!exchange.getRequestMethod().matches("GET|HEAD")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      refuse(exchange, HttpURLConnection.HTTP_BAD_METHOD, "This page only reads.");
    } else if (path.length != 3 || !MessageDigest.isEqual(bytes(key), bytes(path[1]))) {
      refuse(exchange, HttpURLConnection.HTTP_FORBIDDEN, "Not the address that the command has printed.");
    } else if (path[2].equals("data.json")) {
      send(exchange, HttpURLConnection.HTTP_OK, "application/json",
          bytes(JsonText.of(latest.document(), true)));
    } else {
      String name = path[2].isEmpty() ? "view.html" : path[2];
      if (!FILES.contains(name)) {
        refuse(exchange, HttpURLConnection.HTTP_NOT_FOUND, "No such page.");
        return;
      }
      send(exchange, HttpURLConnection.HTTP_OK, name.endsWith(".svg") ? "image/svg+xml"
          : name.endsWith(".js") ? "text/javascript" : "text/" + name.substring("view.".length()),
          IOUtils.toByteArray(PageServer.class.getResource(name)));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
    send(exchange, status, "text/plain", bytes(why));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] content)
      throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", type + "; charset=utf-8");
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
    boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, hasBody ? content.length : -1);
    if (hasBody) {
      exchange.getResponseBody().write(content);
    }
    exchange.close();
  }

  /** The address of the page, with the key that it needs. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + key + "/";
  }

  @Override
  public void close() {
    server.stop(0);
    pages.shutdownNow();
  }
}
