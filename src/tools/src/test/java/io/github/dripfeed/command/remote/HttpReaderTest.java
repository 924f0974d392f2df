// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.dripfeed.command.remote.HttpReader.Answer;
import io.github.dripfeed.tool.Problem;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an answer costs the thread that asks, whose time no limit bounds. */
class HttpReaderTest {

  private static Answer answer(String body) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
    try {
      URI address = new URI("http://127.0.0.1:" + server.getAddress().getPort());
      return new HttpReader(new Configuration(false), 20, 20, progress -> { }).get(address, "/");
    } finally {
      server.stop(0);
    }
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** A number of a million digits takes Jackson seconds, and the time grows with its square. */
  @Test
  void jsonIsParsedWhereTheTimeIsLimited() throws Exception {
    Answer answer = answer("{\"rows\":[" + "{},".repeat(100_000) + "{}]}");
    long before = allocated();
    assertThat(answer.json().path("rows")).hasSize(100_001);
    assertThat(allocated() - before).as("bytes for 100,001 rows").isLessThan(1_000_000);
  }

  /** What it shows has no tags; those that never end are not searched again and again. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void longAnswerThatIsNoJsonIsNamedAtOnce() throws Exception {
    for (String part : new String[] {"<script>", "<script", "<"}) {
      Answer answer = answer("Welcome " + part.repeat(300_000));
      assertThatThrownBy(answer::json).isInstanceOf(Problem.class)
          .hasMessageContaining("its answer is not JSON: Welcome");
    }
  }
}
