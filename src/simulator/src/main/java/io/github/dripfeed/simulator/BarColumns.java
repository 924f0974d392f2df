// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the bars of a workload stand, in pixels from the left, and what those beside each other have in
 * common. All charts of a workload have the same columns. The templates use the public getters.
 */
public final class BarColumns {

  private static final int LEFT = 64;
  private static final int NARROWEST_BAR = 18;
  /** The torn edge of a bar that is cut off fits these widths. */
  private static final int WIDER_BY = 10;
  private static final int WIDEST_BAR = 48;
  private static final int GAP = 3;
  private static final int BETWEEN_GROUPS = 20;
  /** The titles and the legend need that. */
  private static final int NARROWEST = 960;
  /** Of the captions, in any usual font. */
  private static final double LETTER = 6.2;

  private final List<Group> groups = new ArrayList<>();
  private final List<Column> columns = new ArrayList<>();
  private final int barWidth;
  private final int width;

  /** What bars have in common; the property is empty if they differ in more than one. */
  private record Caption(String property, String text) {

    int width() {
      return (int) Math.ceil(LETTER * Math.max(property.length(), text.length()));
    }
  }

  /**
   * Bars beside each other that differ in one thing.
   *
   * @param property the name of the property whose values are their labels, empty if they are no values
   * @param wide whether the bars are wider than the caption
   */
  public record Group(String property, String text, int x, int width, boolean wide) {
  }

  /** The place of a bar, and the name below it. */
  public record Column(String label, int x, int middle) {
  }

  BarColumns(List<SchedulerVariant> settings) {
    boolean severalQueues = settings.stream().anyMatch(setting -> !setting.parent().isEmpty());
    List<Caption> captions =
        settings.stream().map(setting -> captionOf(setting, severalQueues)).toList();
    long gaps = captions.stream().distinct().count() * BETWEEN_GROUPS;
    barWidth = barWidth((NARROWEST - LEFT - gaps) / (double) settings.size() - GAP);
    int x = LEFT;
    for (int first = 0; first < settings.size();) {
      Caption caption = captions.get(first);
      int next = first;
      while (next < settings.size() && captions.get(next).equals(caption)) {
        int left = x + (next - first) * (barWidth + GAP);
        columns.add(new Column(labelOf(settings.get(next)), left, left + barWidth / 2));
        next++;
      }
      int bars = (next - first) * (barWidth + GAP) - GAP;
      groups.add(new Group(caption.property, caption.text, x, bars, bars >= caption.width()));
      x += Math.max(bars, caption.width()) + BETWEEN_GROUPS;
      first = next;
    }
    width = Math.max(NARROWEST, x - BETWEEN_GROUPS + 2 * GAP);
  }

  private static int barWidth(double room) {
    int width = NARROWEST_BAR;
    while (width + WIDER_BY <= Math.min(room, WIDEST_BAR)) {
      width += WIDER_BY;
    }
    return width;
  }

  private static Caption captionOf(SchedulerVariant setting, boolean severalQueues) {
    if (setting.kind().isDripfeed()) {
      return new Caption("", "Dripfeed");
    }
    String whose = setting.parent().isEmpty() ? "limit of each queue" : "limit of all queues together";
    return switch (setting.kind()) {
      case AM_PERCENT -> new Caption(SchedulerVariants.AM_PERCENT,
          severalQueues ? whose : "AM limit");
      case MAX_PARALLEL -> new Caption(SchedulerVariants.MAX_PARALLEL,
          severalQueues ? whose : "limit: applications at once");
      case OTHER_SYSTEM -> new Caption("", "rules of other systems");
      default -> new Caption("", "stock");
    };
  }

  private static String labelOf(SchedulerVariant setting) {
    return switch (setting.kind()) {
      case AM_PERCENT -> Formats.ratio(setting.number());
      case MAX_PARALLEL -> String.valueOf((int) setting.number());
      default -> setting.shortName();
    };
  }

  public List<Group> getGroups() {
    return groups;
  }

  public List<Column> getColumns() {
    return columns;
  }

  public int getLeft() {
    return LEFT;
  }

  public int getBarWidth() {
    return barWidth;
  }

  /** Of the whole picture. */
  public int getWidth() {
    return width;
  }

  /** Whether a bar is narrower than a ratio that stands above it. */
  public boolean isNarrow() {
    return barWidth == NARROWEST_BAR;
  }
}
