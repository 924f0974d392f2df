// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The observations of a burst in one queue.
 *
 * @param executors the number of allocated executors
 * @param mostStarting the highest number of applications that were starting at the same time
 * @param firstExecutorMillis from the first submission to the first executor
 * @param makespanMillis from the first submission to the end of the last application
 */
public record Outcome(int applications, int succeeded, int mostDriversAtOnce, int executors,
    int mostStarting, OptionalLong firstExecutorMillis, OptionalLong makespanMillis,
    boolean deadlocked) {

  static Outcome of(Recording recording, boolean deadlocked) {
    var tracks = recording.tracks();
    OptionalLong firstExecutor =
        tracks.stream().flatMapToLong(track -> track.firstExecutorAt().stream()).min();
    OptionalLong end = recording.isOver()
        ? tracks.stream().flatMapToLong(track -> track.endedAt().stream()).max()
        : OptionalLong.empty();
    return new Outcome(tracks.size(),
        (int) tracks.stream().filter(track -> track.phase() == Phase.SUCCEEDED).count(),
        recording.mostDriversAtOnce(),
        (int) tracks.stream().flatMap(track -> track.bars().stream())
            .filter(bar -> !bar.driver()).count(),
        mostStarting(recording),
        since(recording, firstExecutor), since(recording, end), deadlocked);
  }

  private static OptionalLong since(Recording recording, OptionalLong at) {
    return at.isPresent()
        ? OptionalLong.of(at.getAsLong() - recording.startedAt()) : OptionalLong.empty();
  }

  /** Uses the timestamps of the containers, so that it misses nothing between two samples. */
  private static int mostStarting(Recording recording) {
    return recording.tracks().stream().flatMapToLong(track -> track.driverAt().stream())
        .mapToInt(at -> (int) startingAt(recording, at).count()).max().orElse(0);
  }

  private static Stream<ApplicationTrack> startingAt(Recording recording, long at) {
    return recording.tracks().stream().filter(track -> track.driverAt().isPresent()
        && track.driverAt().getAsLong() <= at
        && at < track.firstExecutorAt().orElse(track.endedAt().orElse(Long.MAX_VALUE)));
  }

  public boolean allSucceeded() {
    return applications > 0 && succeeded == applications;
  }
}
