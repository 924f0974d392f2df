/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A bar chart of one figure under all variants, possibly with a second one as a line across each bar, as
 * the template draws it: pixels, from the top left. Bars end at {@value #MOST} times the best static limit,
 * so that differences between good settings can be seen. The template uses the public getters.
 */
public final class BarChart {

  private static final double MOST = 2.5;
  private static final int LEFT = 64;
  private static final int TOP = 38;
  private static final int HEIGHT = 140;
  private static final int BAR = 18;
  private static final int GAP = 3;
  private static final int BETWEEN_GROUPS = 16;
  private static final int STEPS = 4;
  private static final double[] STEP_SECONDS = {5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600,
      900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400};

  private final String title;
  private final List<Bar> bars = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final int bestY;
  private final int width;

  /**
   * @param ratio to the best static limit, empty if there is none or a whole bar shows it
   * @param ratioY its base line
   * @param markY of the line, 0 if there is none
   * @param cut whether the figure is larger than the bar
   * @param unending whether the figure does not exist because the workload never ended
   */
  public record Bar(String kind, String label, String hint, String ratio, int x, int y, int ratioY,
      int markY, int width, int height, boolean cut, boolean unending) {
  }

  /** A horizontal line and its meaning. */
  public record Tick(int y, String text) {
  }

  /** Bars beside each other that differ in one thing, and its name. */
  public record Group(String text, int x, int width) {
  }

  /** What is drawn of an outcome; the ratio is to the best static limit. */
  private record Figures(double value, double mark, String hint, double ratio) {
  }

  private BarChart(String title, List<Outcome> outcomes, Function<Outcome, Figures> figures,
      double best, double top) {
    this.title = title;
    int x = LEFT;
    String group = null;
    int groupX = x;
    for (Outcome outcome : outcomes) {
      String its = groupOf(outcome.setting().kind());
      if (group != null && !group.equals(its)) {
        groups.add(new Group(group, groupX, x - GAP - groupX));
        x += BETWEEN_GROUPS;
        groupX = x;
      }
      group = its;
      bars.add(bar(outcome.setting(), figures.apply(outcome), x, top));
      x += BAR + GAP;
    }
    groups.add(new Group(group, groupX, x - GAP - groupX));
    width = x + GAP;
    bestY = best > 0 && best < top ? TOP + HEIGHT - pixels(best / top) : 0;
    for (int i = 0; i <= STEPS; i++) {
      double value = top * i / STEPS;
      ticks.add(new Tick(TOP + HEIGHT - HEIGHT * i / STEPS,
          best > 0 ? Formats.time(value) : Formats.percent(value)));
    }
  }

  private static Bar bar(SchedulerVariant setting, Figures drawn, int x, double top) {
    boolean unending = Double.isInfinite(drawn.value);
    boolean cut = !unending && drawn.value > top;
    int height = unending ? HEIGHT : pixels(drawn.value / top);
    int markHeight = unending || !Double.isFinite(drawn.mark) || drawn.mark > top ? 0
        : pixels(drawn.mark / top);
    return new Bar(kindOf(setting.kind()), labelOf(setting), setting.name() + ": " + drawn.hint,
        setting.kind().isStatic() && !cut ? "" : shortRatio(drawn.ratio), x, TOP + HEIGHT - height,
        TOP + HEIGHT - Math.max(height, markHeight) - 4, markHeight == 0 ? 0 : TOP + HEIGHT - markHeight,
        BAR, height, cut, unending);
  }

  /**
   * With the ratios of the bars to the best static limit.
   *
   * @param line null if there is none
   */
  static BarChart of(String title, WorkloadResult round, Measure bar, Measure line) {
    double best = bar.of(round.bestStatic(bar));
    double most = round.outcomes().stream().mapToDouble(bar::of).filter(Double::isFinite).max().orElse(1);
    double top = niceSeconds(best > 0 ? Math.min(most, MOST * best) : most);
    return new BarChart(title + (top < 3600 ? " [minutes:seconds]" : " [hours:minutes:seconds]"),
        round.outcomes(), outcome -> {
          String hint = hint(round, outcome, bar);
          return line == null
              ? new Figures(bar.of(outcome), Double.NaN, hint, round.ratio(outcome.setting(), bar))
              : new Figures(bar.of(outcome), line.of(outcome),
                  hint + "; " + hint(round, outcome, line), round.ratio(outcome.setting(), bar));
        }, Math.max(best, Double.MIN_VALUE), top);
  }

  static BarChart ofPart(String title, WorkloadResult round, ToDoubleFunction<Outcome> part) {
    return new BarChart(title, round.outcomes(), outcome -> {
      double value = part.applyAsDouble(outcome);
      return new Figures(value, Double.NaN, Formats.percent(value), Double.NaN);
    }, 0, 1);
  }

  private static String hint(WorkloadResult round, Outcome outcome, Measure measure) {
    double ratio = round.ratio(outcome.setting(), measure);
    return measure.title() + " " + Formats.time(measure.of(outcome))
        + (Double.isFinite(ratio) ? ", " + Formats.ratio(ratio) + " times the best static limit" : "");
  }

  /** As wide as a bar. */
  private static String shortRatio(double ratio) {
    if (!Double.isFinite(ratio)) {
      return "";
    }
    return ratio < 10 ? Formats.ratio(ratio) : String.valueOf(Math.round(ratio));
  }

  private static int pixels(double part) {
    return (int) Math.round(HEIGHT * Math.min(1, part));
  }

  private static double niceSeconds(double most) {
    for (double step : STEP_SECONDS) {
      if (most <= step * STEPS) {
        return step * STEPS;
      }
    }
    return Math.ceil(most / 3600 / STEPS) * 3600 * STEPS;
  }

  private static String groupOf(SchedulerVariant.Kind kind) {
    return kind.isDripfeed() ? "Dripfeed" : switch (kind) {
      case AM_PERCENT -> "limit: share of the queue for drivers";
      case MAX_PARALLEL -> "limit: applications at once";
      case OTHER_SYSTEM -> "rules of other systems";
      default -> "stock";
    };
  }

  private static String kindOf(SchedulerVariant.Kind kind) {
    if (kind == SchedulerVariant.Kind.OTHER_SYSTEM) {
      return "other";
    }
    return kind.isDripfeed() ? kind == SchedulerVariant.Kind.DRIPFEED ? "ours" : "tuned"
        : kind.isStatic() ? "static" : "stock";
  }

  private static String labelOf(SchedulerVariant setting) {
    return switch (setting.kind()) {
      case AM_PERCENT -> Formats.ratio(setting.number());
      case MAX_PARALLEL -> String.valueOf((int) setting.number());
      default -> setting.shortName();
    };
  }

  public String getTitle() {
    return title;
  }

  public List<Bar> getBars() {
    return bars;
  }

  public List<Group> getGroups() {
    return groups;
  }

  /** Of the line of the best static limit, 0 if there is none. */
  public int getBestY() {
    return bestY;
  }

  public List<Tick> getTicks() {
    return ticks;
  }

  public int getWidth() {
    return width;
  }

  /** The height without the names below the bars. */
  public int getHeight() {
    return TOP + HEIGHT + 12;
  }

  public int getLeft() {
    return LEFT;
  }

  public int getFoot() {
    return TOP + HEIGHT;
  }
}
