// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;

/** A table that the demo redraws in place. */
final class LiveScreen implements Screen {

  private final Terminal terminal;
  private Display display;
  private List<AttributedString> lines = List.of();

  LiveScreen(Terminal terminal) {
    this.terminal = terminal;
    display = new Display(terminal, false);
    resize();
  }

  @Override
  public void say(String line) {
    endOfBurst();
    terminal.writer().println(line);
    terminal.flush();
  }

  @Override
  public void show(String queue, Recording recording) {
    resize();
    lines = table(queue, recording);
    display.update(lines, -1);
  }

  private static List<AttributedString> table(String queue, Recording recording) {
    List<AttributedString> table = new ArrayList<>();
    table.add(new AttributedString(
        String.format("%-14s after %.0f s", queue,
            (recording.lastAt() - recording.startedAt()) / 1000.0),
        AttributedStyle.BOLD));
    table.add(new AttributedString(
        String.format("  %-12s %-10s %10s %16s", "application", "state", "containers", "s in state"),
        AttributedStyle.DEFAULT.faint()));
    for (ApplicationTrack track : recording.tracks()) {
      table.add(new AttributedStringBuilder()
          .append(String.format("  %-12s ", track.name()))
          .styled(style(track.phase()), String.format("%-10s", track.phase().word()))
          .append(String.format(" %10d %16.0f", track.liveContainers(),
              Math.max(0, recording.lastAt() - track.phaseSince()) / 1000.0))
          .toAttributedString());
    }
    return table;
  }

  private static AttributedStyle style(Phase phase) {
    return switch (phase) {
      case ACCEPTED -> AttributedStyle.DEFAULT.faint();
      case STARTING -> AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW);
      case RUNNING -> AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN);
      case SUCCEEDED -> AttributedStyle.DEFAULT.foreground(AttributedStyle.GREEN);
      default -> AttributedStyle.DEFAULT.foreground(AttributedStyle.RED);
    };
  }

  private void resize() {
    display.resize(Math.max(1, terminal.getHeight()), Math.max(20, terminal.getWidth()));
  }

  @Override
  public void endOfBurst() {
    if (!lines.isEmpty()) {
      lines = List.of();
      terminal.writer().println();
      terminal.flush();
      display = new Display(terminal, false);
      resize();
    }
  }

  @Override
  public void close() throws IOException {
    endOfBurst();
    terminal.close();
  }
}
