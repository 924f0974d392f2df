// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The history of one burst in one queue, from its first sample to its last. */
final class Recording {

  private final Map<String, ApplicationTrack> tracks = new LinkedHashMap<>();
  private long startedAt;
  private long lastAt;
  private int mostDriversAtOnce;

  void add(Sample sample) {
    for (Sample.App app : sample.apps()) {
      tracks.computeIfAbsent(app.name(), name -> new ApplicationTrack(app)).add(app, sample.atMillis());
    }
    startedAt = tracks.values().stream().mapToLong(ApplicationTrack::submittedAt).min().orElse(0);
    lastAt = sample.atMillis();
    mostDriversAtOnce = Math.max(mostDriversAtOnce, (int) sample.apps().stream()
        .flatMap(app -> app.live().stream()).filter(Sample.Live::driver).count());
  }

  List<ApplicationTrack> tracks() {
    return new ArrayList<>(tracks.values());
  }

  boolean isOver() {
    return tracks.values().stream().allMatch(track -> track.phase().isEnd());
  }

  /** The submission time of the first application. */
  long startedAt() {
    return startedAt;
  }

  long lastAt() {
    return lastAt;
  }

  /** The end of the last application or, if one remains, the time of the last sample. */
  long endedAt() {
    return isOver() ? tracks.values().stream().flatMapToLong(track -> track.endedAt().stream())
        .max().orElse(lastAt) : lastAt;
  }

  int mostDriversAtOnce() {
    return mostDriversAtOnce;
  }

  /** For the message of a test that failed. */
  @Override
  public String toString() {
    return tracks.values().toString();
  }
}
