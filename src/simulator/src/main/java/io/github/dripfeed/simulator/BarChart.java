// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * A bar chart of one figure under all variants, as the template draws it: pixels, from the top left. The
 * template uses the public getters.
 */
public final class BarChart {

  private static final int HEIGHT = 150;
  private static final int HEIGHT_OF_PARTS = 80;
  /** Of the title, and of a ratio above a bar that is cut off. */
  private static final int TOP = 54;
  private static final int TOP_OF_PARTS = 32;
  private static final int BOTTOM = 12;

  private final String title;
  private final int foot;
  private final List<Bar> bars = new ArrayList<>();
  private final List<Tick> ticks = new ArrayList<>();
  private final int bestY;

  /**
   * A bar, in the order of the columns.
   *
   * @param ratio to the best static limit, empty if there is none or a whole bar of a limit shows it
   * @param cut whether the figure is larger than the bar
   * @param unending whether the figure does not exist because the workload never ended
   */
  public record Bar(String kind, String hint, String ratio, int y, int height, boolean cut,
      boolean unending) {
  }

  /** A horizontal line and its meaning. */
  public record Tick(int y, String text) {
  }

  /** What is drawn of an outcome; the ratio is to the best static limit. */
  private record Figures(double value, String hint, double ratio) {
  }

  private BarChart(String title, int top, int height, Axis axis, List<Outcome> outcomes,
      Function<Outcome, Figures> figures, Outcome best, ToDoubleFunction<Outcome> value) {
    this.title = title;
    this.foot = top + height;
    for (Outcome outcome : outcomes) {
      bars.add(bar(outcome, figures.apply(outcome), outcome == best, axis, height));
    }
    double bestValue = best == null ? 0 : value.applyAsDouble(best);
    bestY = bestValue > 0 && bestValue < axis.top() ? foot - pixels(bestValue, axis, height) : 0;
    int lines = (int) Math.round(axis.top() / axis.step());
    for (int i = 0; i <= lines; i++) {
      double at = axis.step() * i;
      ticks.add(new Tick(foot - pixels(at, axis, height),
          axis.isOfParts() ? Formats.percent(at) : Formats.time(at)));
    }
  }

  private Bar bar(Outcome outcome, Figures drawn, boolean best, Axis axis, int height) {
    boolean unending = Double.isInfinite(drawn.value);
    boolean cut = !unending && drawn.value > axis.top();
    int pixels = unending ? height : pixels(drawn.value, axis, height);
    boolean named = cut || best || !outcome.setting().kind().isStatic();
    return new Bar(kindOf(outcome.setting()), outcome.setting().name() + ": " + drawn.hint,
        named ? shortRatio(drawn.ratio) : "", foot - pixels, pixels, cut, unending);
  }

  /**
   * With the ratios of the bars to the best static limit.
   *
   * @param more what the hints name as well
   */
  static BarChart of(String title, WorkloadResult round, Measure measure, Measure... more) {
    Outcome best = round.bestStatic(measure).orElse(null);
    double most =
        round.charted().stream().mapToDouble(measure::of).filter(Double::isFinite).max().orElse(1);
    Axis axis = Axis.ofSeconds(best == null ? 0 : measure.of(best), most);
    return new BarChart(title + (axis.top() < 3600 ? " [minutes:seconds]" : " [hours:minutes:seconds]"),
        TOP, HEIGHT, axis, round.charted(), outcome -> {
          StringBuilder hint = new StringBuilder(hint(round, outcome, measure));
          for (Measure each : more) {
            hint.append("; ").append(hint(round, outcome, each));
          }
          return new Figures(measure.of(outcome), hint.toString(), round.ratio(outcome.setting(), measure));
        }, best, measure::of);
  }

  static BarChart ofPart(String title, WorkloadResult round, ToDoubleFunction<Outcome> part) {
    return new BarChart(title, TOP_OF_PARTS, HEIGHT_OF_PARTS, Axis.ofParts(), round.charted(), outcome -> {
      double value = part.applyAsDouble(outcome);
      return new Figures(value, Formats.percent(value), Double.NaN);
    }, null, part);
  }

  private static String hint(WorkloadResult round, Outcome outcome, Measure measure) {
    double ratio = round.ratio(outcome.setting(), measure);
    return measure.title() + " " + Formats.time(measure.of(outcome))
        + (Double.isFinite(ratio) ? ", " + Formats.ratio(ratio) + " times the best static limit" : "");
  }

  private static String shortRatio(double ratio) {
    if (!Double.isFinite(ratio)) {
      return "";
    }
    return ratio < 10 ? Formats.ratio(ratio) : String.valueOf(Math.round(ratio));
  }

  private static int pixels(double value, Axis axis, int height) {
    return (int) Math.round(height * axis.part(value));
  }

  private static String kindOf(SchedulerVariant setting) {
    SchedulerVariant.Kind kind = setting.kind();
    if (kind == SchedulerVariant.Kind.OTHER_SYSTEM) {
      return "other";
    }
    return kind.isDripfeed() ? SchedulerVariants.isDefault(setting) ? "ours" : "tuned"
        : kind.isStatic() ? "static" : "stock";
  }

  public String getTitle() {
    return title;
  }

  public List<Bar> getBars() {
    return bars;
  }

  /** Of the line of the best static limit, 0 if there is none. */
  public int getBestY() {
    return bestY;
  }

  public List<Tick> getTicks() {
    return ticks;
  }

  /** The height without the names below the bars. */
  public int getHeight() {
    return foot + BOTTOM;
  }

  /** The base line of the bars. */
  public int getFoot() {
    return foot;
  }
}
