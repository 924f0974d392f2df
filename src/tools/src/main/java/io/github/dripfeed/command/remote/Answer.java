// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.terminal.Problem;
import java.net.HttpURLConnection;
import java.net.URI;

/** What one of the addresses answers over HTTP, whatever its status. Immutable. */
final class Answer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_SHOWN = 200;

  final int status;
  /** Where a redirection leads; null without one. */
  final String location;
  private final URI address;
  private final String path;
  private final String body;
  /** How a login is asked for; null if none is. */
  private final String challenge;

  Answer(URI address, String path, HttpURLConnection connection, int status, String body) {
    this.address = address;
    this.path = path;
    this.status = status;
    this.body = body;
    this.location = connection.getHeaderField("Location");
    this.challenge = connection.getHeaderField("WWW-Authenticate");
  }

  /** Java itself may have answered with a ticket already; the proof of the server's side is no question. */
  boolean asksForLogin() {
    return status == HttpURLConnection.HTTP_UNAUTHORIZED && challenge != null
        && (challenge.startsWith("Negotiate") || challenge.startsWith("PseudoAuth"));
  }

  /** @throws Problem if it is not the JSON that was asked for */
  JsonNode json() throws Problem {
    if (status != HttpURLConnection.HTTP_OK) {
      throw refusal();
    }
    Throwable cause = null;
    try {
      JsonNode tree = JSON.readTree(body);
      if (tree != null && tree.isObject()) {
        return tree;
      }
    } catch (JsonProcessingException | StackOverflowError e) {
      cause = e;
    }
    throw new Problem(Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager, or not"
        + " all of one: its answer is not JSON: " + start(), cause);
  }

  private Problem refusal() {
    if (location != null) {
      return new Problem(Problem.NO_DRIPFEED, address + path + " leads to " + location
          + ", which is not followed. Is that the address for --rm?");
    } else if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
      return new Problem(Problem.NOT_ALLOWED, "Not logged in: " + address + " asks for a login that Hadoop's"
          + " client does not know" + (challenge == null ? "" : ": " + challenge));
    } else if (status == HttpURLConnection.HTTP_FORBIDDEN) {
      return new Problem(Problem.NOT_ALLOWED, "Not allowed: " + address + path + " (403). Where"
          + " hadoop.security.instrumentation.requires.admin is true, only administrators may read /jmx");
    } else if (status >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
      return new Problem(Problem.UNREACHABLE,
          address + path + " answers with an error: " + status + " " + start());
    }
    return noResourceManager(path + " gives " + status);
  }

  Problem noResourceManager(String why) {
    return new Problem(
        Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager: " + why);
  }

  private String start() {
    String text = body.replaceAll("(?s)<(script|style)[^>]*>.*?</\\1>", " ").replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ").trim();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
  }
}
