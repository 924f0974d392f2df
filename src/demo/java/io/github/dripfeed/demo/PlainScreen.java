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

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints a line per change, for logs and pipes. */
public final class PlainScreen implements Screen {

  private static final long HELD_EVERY_MS = 3000;

  private final PrintStream out;
  private final Map<String, Phase> shown = new HashMap<>();
  private String heldBefore = "";
  private long heldAt;

  public PlainScreen(PrintStream out) {
    this.out = out;
  }

  @Override
  public void say(String line) {
    out.println(line);
    out.flush();
  }

  @Override
  public void show(String queue, Recording recording) {
    for (ApplicationTrack track : recording.tracks()) {
      Phase before = shown.put(track.name(), track.phase());
      if (before != track.phase()) {
        say(String.format("%6.1f s  %-12s  %-6s %s", seconds(track.phaseSince(), recording),
            queue, track.name(), track.phase().word()));
      }
    }
    String held = recording.tracks().stream().filter(track -> track.liveContainers() > 0)
        .map(track -> track.name() + " " + track.liveContainers()).collect(Collectors.joining(", "));
    if (recording.lastAt() - heldAt >= HELD_EVERY_MS && !held.equals(heldBefore)) {
      say(String.format("%6.1f s  %-12s  containers: %s", seconds(recording.lastAt(), recording),
          queue, held));
      heldAt = recording.lastAt();
      heldBefore = held;
    }
  }

  private static double seconds(long at, Recording recording) {
    return Math.max(0, at - recording.startedAt()) / 1000.0;
  }

  @Override
  public void endOfBurst() {
    shown.clear();
  }

  @Override
  public void close() {
    out.flush();
  }
}
