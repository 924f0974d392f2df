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
import java.util.stream.DoubleStream;

/**
 * A bar chart of one figure under all variants, possibly with a second one as a line across each bar, as
 * the template draws it: pixels, from the top left. The template uses the public getters.
 */
public final class BarChart {

  private static final int LEFT = 64;
  private static final int TOP = 34;
  private static final int HEIGHT = 120;
  private static final int BAR = 18;
  private static final int GAP = 3;
  private static final int BETWEEN_GROUPS = 16;
  private static final int STEPS = 4;

  private final String title;
  private final List<Bar> bars = new ArrayList<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final int width;

  /**
   * @param ratio to the best static limit, empty if there is none or the limits themselves are shown
   * @param ratioY its base line
   * @param markY of the line, 0 if there is none
   * @param unending whether the figure does not exist because the workload never ended
   */
  public record Bar(String kind, String label, String hint, String ratio, int x, int y, int ratioY,
      int markY, int width, int height, boolean unending) {
  }

  /** A horizontal line and its meaning. */
  public record Tick(int y, String text) {
  }

  /** What is drawn of an outcome. */
  private record Figures(double value, double mark, String hint, double ratio) {
  }

  private BarChart(String title, List<Outcome> outcomes, Function<Outcome, Figures> figures,
      boolean time) {
    this.title = title;
    double most = outcomes.stream().map(figures)
        .flatMapToDouble(each -> DoubleStream.of(each.value, each.mark)).filter(Double::isFinite)
        .max().orElse(1);
    double top = time ? niceSeconds(most) : 1;
    int x = LEFT;
    SchedulerVariant.Kind kind = null;
    for (Outcome outcome : outcomes) {
      SchedulerVariant setting = outcome.setting();
      if (kind != null && kind.isDripfeed() != setting.kind().isDripfeed()
          || kind != null && !kind.isDripfeed() && kind != setting.kind()) {
        x += BETWEEN_GROUPS;
      }
      kind = setting.kind();
      Figures drawn = figures.apply(outcome);
      boolean unending = Double.isInfinite(drawn.value);
      int height = unending ? HEIGHT : pixels(drawn.value / top);
      int markHeight = unending || !Double.isFinite(drawn.mark) ? 0 : pixels(drawn.mark / top);
      bars.add(new Bar(kindOf(setting.kind()), labelOf(setting), setting.name() + ": " + drawn.hint,
          setting.kind().isStatic() ? "" : shortRatio(drawn.ratio), x, TOP + HEIGHT - height,
          TOP + HEIGHT - Math.max(height, markHeight) - 4,
          markHeight == 0 ? 0 : TOP + HEIGHT - markHeight, BAR, height, unending));
      x += BAR + GAP;
    }
    width = x + GAP;
    for (int i = 0; i <= STEPS; i++) {
      double value = top * i / STEPS;
      ticks.add(new Tick(TOP + HEIGHT - HEIGHT * i / STEPS,
          time ? Formats.time(value) : Formats.percent(value)));
    }
  }

  /**
   * With the ratios of the bars to the best static limit.
   *
   * @param line null if there is none
   */
  static BarChart of(String title, WorkloadResult round, Measure bar, Measure line) {
    return new BarChart(title, round.outcomes(), outcome -> {
      String hint = hint(round, outcome, bar);
      return line == null
          ? new Figures(bar.of(outcome), Double.NaN, hint, round.ratio(outcome.setting(), bar))
          : new Figures(bar.of(outcome), line.of(outcome),
              hint + "; " + hint(round, outcome, line), round.ratio(outcome.setting(), bar));
    }, true);
  }

  static BarChart ofPart(String title, WorkloadResult round, ToDoubleFunction<Outcome> part) {
    return new BarChart(title, round.outcomes(), outcome -> {
      double value = part.applyAsDouble(outcome);
      return new Figures(value, Double.NaN, Formats.percent(value), Double.NaN);
    }, false);
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
    for (double step : new double[] {10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400}) {
      if (most <= step * STEPS) {
        return step * STEPS;
      }
    }
    return Math.ceil(most / 3600 / STEPS) * 3600 * STEPS;
  }

  private static String kindOf(SchedulerVariant.Kind kind) {
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

  public List<Tick> getTicks() {
    return ticks;
  }

  public int getWidth() {
    return width;
  }

  /** The height without the names below the bars. */
  public int getHeight() {
    return TOP + HEIGHT + 8;
  }

  public int getLeft() {
    return LEFT;
  }

  public int getFoot() {
    return TOP + HEIGHT;
  }
}
