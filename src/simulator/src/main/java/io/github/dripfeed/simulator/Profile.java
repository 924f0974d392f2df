// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Says how much of a thread's time is Dripfeed's: Java's Flight Recorder looks at its stack fifty times a
 * second. Begins with its creation, and measures the thread that creates it.
 */
final class Profile implements AutoCloseable {

  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String OURS = "io.github.dripfeed.";
  private static final Duration PERIOD = Duration.ofMillis(20);

  private final Recording recording = new Recording();
  private final long thread = Thread.currentThread().getId();

  Profile() {
    recording.enable(SAMPLE).withPeriod(PERIOD);
    recording.start();
  }

  /**
   * Ends it.
   *
   * @return the fraction of the samples that are in Dripfeed's code or in what that calls, from 0 to 1
   */
  double dripfeedShare() throws IOException {
    recording.stop();
    Path file = Files.createTempFile("dripfeed-profile-", ".jfr");
    try {
      recording.dump(file);
      long all = 0;
      long ours = 0;
      try (RecordingFile samples = new RecordingFile(file)) {
        while (samples.hasMoreEvents()) {
          RecordedEvent sample = samples.readEvent();
          if (isOfTheThread(sample)) {
            all++;
            ours += isInDripfeed(sample.getStackTrace()) ? 1 : 0;
          }
        }
      }
      return all == 0 ? 0 : (double) ours / all;
    } finally {
      Files.delete(file);
    }
  }

  private boolean isOfTheThread(RecordedEvent sample) {
    if (!sample.getEventType().getName().equals(SAMPLE) || sample.getStackTrace() == null) {
      return false;
    }
    RecordedThread sampled = sample.getThread("sampledThread");
    return sampled != null && sampled.getJavaThreadId() == thread;
  }

  /** Everything runs below the simulator, which does not count. */
  private static boolean isInDripfeed(RecordedStackTrace stack) {
    return stack.getFrames().stream().map(frame -> frame.getMethod().getType().getName())
        .anyMatch(name -> name.startsWith(OURS) && !name.startsWith(OURS + "simulator."));
  }

  @Override
  public void close() {
    recording.close();
  }
}
