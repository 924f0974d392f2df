// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;

/** A server whose last answer has no end: a byte of it comes now and then, until nobody listens. */
final class TricklingServer implements AutoCloseable {

  private final ServerSocket server;
  private final String[] answers;
  private volatile boolean isLeft;

  /** @param answers one for each connection; all but the last one are whole */
  TricklingServer(String... answers) throws IOException {
    this(ServerSocketFactory.getDefault(), answers);
  }

  TricklingServer(ServerSocketFactory factory, String... answers) throws IOException {
    this.server = factory.createServerSocket(0, 1, InetAddress.getLoopbackAddress());
    this.answers = answers.clone();
    Thread thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
  }

  /** The host and the port. */
  String address() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Whether somebody who had asked has closed the connection. */
  boolean isLeft() {
    return isLeft;
  }

  private void serve() {
    for (int i = 0; !server.isClosed(); i++) {
      try (Socket client = server.accept()) {
        BufferedReader question =
            new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
        String line = question.readLine();
        while (line != null && !line.isEmpty()) {
          line = question.readLine();
        }
        OutputStream out = client.getOutputStream();
        out.write(answers[Math.min(i, answers.length - 1)].getBytes(US_ASCII));
        while (i >= answers.length - 1) {
          out.write(' ');
          Thread.sleep(100);
        }
      } catch (IOException | InterruptedException e) {
        isLeft = !server.isClosed();
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
