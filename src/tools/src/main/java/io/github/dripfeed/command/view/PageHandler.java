// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.commons.io.IOUtils;

/**
 * Answers the page's requests, and only those: they read, name this host as a loopback one (a foreign page
 * whose name was made to lead here does not), and know the key that only the caller of the command was told
 * (other users of the host do not).
 */
final class PageHandler implements HttpHandler {

  static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
      + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final Pattern LOOPBACK =
      Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");
  private static final String DATA = "data.json";
  private static final Map<String, String> TYPES = new HashMap<>();

  static {
    TYPES.put("html", "text/html; charset=utf-8");
    TYPES.put("css", "text/css; charset=utf-8");
    TYPES.put("js", "text/javascript; charset=utf-8");
    TYPES.put("svg", "image/svg+xml");
    TYPES.put("json", "application/json; charset=utf-8");
  }

  private final byte[] key;
  private final Map<String, byte[]> files = new HashMap<>();
  private final Supplier<String> data;

  /** @param data the picture, as JSON */
  PageHandler(String key, Supplier<String> data) throws IOException {
    this.key = key.getBytes(StandardCharsets.UTF_8);
    this.data = data;
    for (String name : new String[] {"view.html", "view.css", "view.js", "chart.js", "icon.svg"}) {
      files.put(name, IOUtils.toByteArray(PageHandler.class.getResource(name)));
    }
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      answer(exchange);
    } catch (RuntimeException e) {
      refuse(exchange, HttpURLConnection.HTTP_INTERNAL_ERROR, "The command failed: " + e);
    } finally {
      exchange.close();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    List<String> hosts = exchange.getRequestHeaders().get("Host");
    boolean loopback = hosts != null && hosts.size() == 1
        && LOOPBACK.matcher(hosts.get(0).toLowerCase(Locale.ROOT)).matches();
    String method = exchange.getRequestMethod();
    if (!loopback) {
      refuse(exchange, HttpURLConnection.HTTP_FORBIDDEN, "Only for localhost and 127.0.0.1.");
      return;
    } else if (!method.equals("GET") && !method.equals("HEAD")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      refuse(exchange, HttpURLConnection.HTTP_BAD_METHOD, "This page only reads.");
      return;
    }
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    int parts = 3;
    if (path.length != parts || !MessageDigest.isEqual(key, path[1].getBytes(StandardCharsets.UTF_8))) {
      refuse(exchange, HttpURLConnection.HTTP_FORBIDDEN, "Not the address that the command has printed.");
      return;
    }
    String name = path[2].isEmpty() ? "view.html" : path[2];
    byte[] content =
        name.equals(DATA) ? data.get().getBytes(StandardCharsets.UTF_8) : files.get(name);
    if (content == null) {
      refuse(exchange, HttpURLConnection.HTTP_NOT_FOUND, "No such page.");
    } else {
      send(exchange, HttpURLConnection.HTTP_OK, TYPES.get(name.replaceFirst(".*\\.", "")), content);
    }
  }

  private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
    send(exchange, status, "text/plain; charset=utf-8", why.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] content)
      throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", type);
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, content.length);
      exchange.getResponseBody().write(content);
    }
  }
}
