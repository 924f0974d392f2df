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

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.fixture.InstalledProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The Chromium of this machine without a window, driven by the protocol of its developer tools. */
final class Browser {

  static final String[] NAMES = {"chromium", "chromium-browser", "google-chrome"};
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int HEIGHT = 900;

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> received = new LinkedBlockingQueue<>();
  private int asked;

  /** @param folder an existing folder for its files */
  Browser(Path folder) throws Exception {
    Path log = folder.resolve("chromium.log");
    Path profile = folder.resolve("profile");
    Path ports = profile.resolve("DevToolsActivePort");
    process = new ProcessBuilder(InstalledProgram.find(NAMES).orElseThrow(), "--headless=new",
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank")
        .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      Eventually.is("Chromium listens", () -> {
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        return Files.exists(ports) && Files.readAllLines(ports).size() > 1;
      });
      HttpClient http = HttpClient.newHttpClient();
      URI pages = URI.create("http://127.0.0.1:" + Files.readAllLines(ports).get(0) + "/json/list");
      JsonNode first = JSON.createArrayNode();
      while (!first.has("webSocketDebuggerUrl")) {
        first = JSON.readTree(http.send(HttpRequest.newBuilder(pages).build(),
            HttpResponse.BodyHandlers.ofString()).body()).path(0);
      }
      socket = http.newWebSocketBuilder()
          .buildAsync(URI.create(first.path("webSocketDebuggerUrl").asText()), new Listener()).join();
    } catch (Exception | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Opens a page in a window of this width. */
  void open(String url, int width) throws Exception {
    call("Emulation.setDeviceMetricsOverride", JSON.createObjectNode().put("width", width)
        .put("height", HEIGHT).put("deviceScaleFactor", 1).put("mobile", false));
    call("Page.navigate", JSON.createObjectNode().put("url", url));
  }

  /** The value of a JavaScript expression in the page. */
  JsonNode value(String expression) throws Exception {
    JsonNode answer = call("Runtime.evaluate", JSON.createObjectNode().put("expression", expression)
        .put("returnByValue", true));
    assertThat(answer.has("exceptionDetails")).as(expression + ": " + answer).isFalse();
    return answer.at("/result/value");
  }

  /** What a person sees of the page. */
  String text() throws Exception {
    return value("document.body ? document.body.innerText : ''").asText();
  }

  /** Writes what the window shows into a file. */
  void picture(Path file) throws Exception {
    String png = call("Page.captureScreenshot", JSON.createObjectNode()).path("data").asText();
    Files.write(file, Base64.getDecoder().decode(png));
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    ObjectNode question = JSON.createObjectNode().put("id", ++asked).put("method", method);
    question.set("params", parameters);
    socket.sendText(question.toString(), true).join();
    while (true) {
      JsonNode answer = received.poll(30, TimeUnit.SECONDS);
      assertThat(answer).as("an answer to " + method).isNotNull();
      if (answer.path("id").asInt() == asked) {
        assertThat(answer.has("error")).as(method + ": " + answer).isFalse();
        return answer.path("result");
      }
    }
  }

  /** Ends all its processes, so that nothing writes into the folder any more. */
  void end() throws Exception {
    socket.abort();
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle each : all) {
      each.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  /** Puts the parts of messages together. */
  private final class Listener implements WebSocket.Listener {

    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      message.append(part);
      if (last) {
        try {
          received.add(JSON.readTree(message.toString()));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        } finally {
          message.setLength(0);
        }
      }
      from.request(1);
      return null;
    }
  }
}
