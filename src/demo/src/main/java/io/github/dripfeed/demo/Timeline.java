// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The layout of a recording as a picture: times become positions. It is public and has getters because the
 * template of the report reads it.
 */
public final class Timeline {

  static final int WIDTH = 960;
  private static final int LABEL = 64;
  private static final int RIGHT = 16;
  private static final int TOP = 56;
  private static final int LEAST_LANES = 3;
  private static final int BAR = 5;

  /**
   * A rectangle of a kind: accepted, starting, running, driver or executor; or "open", what an application
   * was when the recording ended before it did, up to the end of the axis.
   */
  public record Box(String kind, String title, double x, double y, double width, double height) {

    public String getKind() {
      return kind;
    }

    public String getTitle() {
      return title;
    }

    public double getX() {
      return x;
    }

    public double getY() {
      return y;
    }

    public double getWidth() {
      return width;
    }

    public double getHeight() {
      return height;
    }
  }

  /** A text at a position. */
  public record Label(String text, double x, double y) {

    public String getText() {
      return text;
    }

    public double getX() {
      return x;
    }

    public double getY() {
      return y;
    }
  }

  private final QueueRun part;
  private final double pixelsPerMilli;
  private final long spanMillis;
  private final List<Box> boxes = new ArrayList<>();
  private final List<Label> names = new ArrayList<>();
  private final List<Label> ticks = new ArrayList<>();
  private final int height;

  /** @param spanMillis the length of the time axis, equal for pictures that are compared */
  Timeline(QueueRun part, long spanMillis) {
    this.part = part;
    this.spanMillis = spanMillis;
    this.pixelsPerMilli = (double) (WIDTH - LABEL - RIGHT) / spanMillis;
    int y = TOP;
    for (ApplicationTrack track : part.recording().tracks()) {
      y += addRow(track, y);
    }
    for (long at = 0; at <= spanMillis; at += tickMillis(spanMillis)) {
      ticks.add(new Label(at / 1000 + " s", LABEL + at * pixelsPerMilli, y + 16));
    }
    this.height = y + 28;
  }

  private static long tickMillis(long spanMillis) {
    return spanMillis > 120_000 ? 20_000 : spanMillis > 40_000 ? 10_000 : 5_000;
  }

  /** @return the height: a lane for each container that is live at the same time */
  private int addRow(ApplicationTrack track, int y) {
    names.add(new Label(track.name(), 8, y + 15));
    long end = track.endedAt().orElse(part.recording().lastAt());
    long driver = track.driverAt().orElse(end);
    long executor = track.firstExecutorAt().orElse(end);
    List<Long> lanes = new ArrayList<>();
    List<Box> containers = new ArrayList<>();
    for (ApplicationTrack.Bar bar : track.bars()) {
      long to = bar.to() == 0 ? end : Math.min(bar.to(), end);
      int lane = 0;
      while (lane < lanes.size() && lanes.get(lane) > bar.from()) {
        lane++;
      }
      if (lane == lanes.size()) {
        lanes.add(to);
      } else {
        lanes.set(lane, to);
      }
      box(bar.driver() ? "driver" : "executor",
          track.name() + ": " + (bar.driver() ? "AM" : "executor"), bar.from(), to,
          y + 2 + lane * BAR, BAR - 1.5).ifPresent(containers::add);
    }
    int height = Math.max(LEAST_LANES, lanes.size()) * BAR + 11;
    addBand("accepted", track, track.submittedAt(), driver, y, height);
    addBand("starting", track, driver, executor, y, height);
    addBand("running", track, executor, end, y, height);
    boxes.addAll(containers);
    if (track.endedAt().isEmpty()) {
      box("open", track.name() + ": had not ended when the recording was stopped",
          part.recording().lastAt(), part.recording().startedAt() + spanMillis, y, height - 6)
          .ifPresent(boxes::add);
    }
    return height;
  }

  private void addBand(String phase, ApplicationTrack track, long from, long to, int y, int rowHeight) {
    box(phase, String.format("%s: %s for %.1f s", track.name(), phase, (to - from) / 1000.0),
        from, to, y, rowHeight - 6).ifPresent(boxes::add);
  }

  private Optional<Box> box(String kind, String title, long from, long to, double y, double boxHeight) {
    return to <= from ? Optional.empty() : Optional.of(new Box(kind, title,
        LABEL + (from - part.recording().startedAt()) * pixelsPerMilli, y,
        Math.max(1, (to - from) * pixelsPerMilli), boxHeight));
  }

  public String getTitle() {
    return part.title();
  }

  public String getVerdict() {
    return part.verdict();
  }

  public boolean isBad() {
    return !part.isGood();
  }

  /** What it means that the bars go no further, empty if all applications ended. */
  public String getStopped() {
    if (part.recording().isOver()) {
      return "";
    }
    return part.isGood() ? "stopped by the demo" : "stopped by the demo: they would wait for ever";
  }

  /** Where the recording was stopped. */
  public double getStoppedX() {
    return LABEL + (part.recording().lastAt() - part.recording().startedAt()) * pixelsPerMilli;
  }

  public List<Box> getBoxes() {
    return boxes;
  }

  public List<Label> getNames() {
    return names;
  }

  public List<Label> getTicks() {
    return ticks;
  }

  public int getWidth() {
    return WIDTH;
  }

  public int getTop() {
    return TOP;
  }

  public int getHeight() {
    return height;
  }

  /** A recording that was stopped gets a quarter more, so that nobody takes its end for a result. */
  static long spanMillis(List<? extends QueueRun> parts) {
    return parts.stream().map(QueueRun::recording).mapToLong(recording -> {
      long length = recording.endedAt() - recording.startedAt();
      return recording.isOver() ? length : length * 5 / 4;
    }).max().orElse(1);
  }
}
