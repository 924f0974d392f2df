/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
