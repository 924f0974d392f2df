// SPDX-License-Identifier: Apache-2.0
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
