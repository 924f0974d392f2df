// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The program of a worker process. It reads simulations from its standard input and writes messages to its
 * standard output, and it ends when its input does: with the process that started it, however that ended.
 */
public final class Worker {

  private static final long PAUSE_NANOS = 300_000_000;

  private Worker() {
  }

  /** @param args none */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    ObjectOutputStream out = new ObjectOutputStream(System.out);
    out.flush();
    // What is printed must not get between the messages.
    System.setOut(System.err);
    BlockingQueue<SimulationTask> tasks = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(tasks), "tasks");
    reader.setDaemon(true);
    reader.start();
    while (true) {
      SimulationTask task = tasks.take();
      write(out, answer(task, out));
    }
  }

  private static void read(BlockingQueue<SimulationTask> tasks) {
    int exit = 0;
    try (ObjectInputStream in = new ObjectInputStream(System.in)) {
      while (true) {
        tasks.add((SimulationTask) in.readObject());
      }
    } catch (EOFException e) {
      // The other process has no more simulations, or has ended.
    } catch (IOException | ClassNotFoundException e) {
      exit = 2;
      e.printStackTrace();
    }
    // A simulation that runs now interests nobody any more.
    Runtime.getRuntime().halt(exit);
  }

  private static WorkerMessage answer(SimulationTask task, ObjectOutputStream out) {
    try {
      return new WorkerMessage.Finished(Simulations.run(task, new Throttled(out)));
    } catch (Throwable e) {
      return WorkerMessage.Failed.of(e);
    }
  }

  private static void write(ObjectOutputStream out, WorkerMessage message) throws IOException {
    out.writeObject(message);
    out.flush();
    // Otherwise the stream would keep all that it ever wrote.
    out.reset();
  }

  /** A few messages a second. */
  private static final class Throttled implements SimulationListener {

    private final ObjectOutputStream out;
    private long last = System.nanoTime();

    Throttled(ObjectOutputStream out) {
      this.out = out;
    }

    @Override
    public void reached(long virtualMillis, int ended) {
      long now = System.nanoTime();
      if (now - last < PAUSE_NANOS) {
        return;
      }
      last = now;
      try {
        write(out, new WorkerMessage.Reached(virtualMillis, ended));
      } catch (IOException e) {
        throw new IllegalStateException("Nobody listens any more", e);
      }
    }
  }
}
