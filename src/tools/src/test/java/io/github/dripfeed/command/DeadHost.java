// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * An address from which nothing comes back, as from a host without power: a listener whose queue of
 * connections is full, so that the kernel drops what arrives.
 */
final class DeadHost implements AutoCloseable {

  private static final int ENOUGH = 16;

  private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final List<Socket> waiting = new ArrayList<>();

  DeadHost() throws IOException {
    for (int i = 0; i < ENOUGH; i++) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort()), 100);
      } catch (IOException e) {
        return;
      }
    }
    close();
    throw new IOException("The queue of the listener does not fill up");
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : waiting) {
      socket.close();
    }
    listener.close();
  }
}
