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
import java.util.function.ToDoubleFunction;

/**
 * A bar chart of one figure under all variants, as the template draws it: pixels, from the top left.
 * The template uses the public getters.
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

  /** @param unending whether the figure does not exist because the workload never ended */
  public record Bar(String kind, String label, String hint, int x, int y, int width, int height,
      boolean unending) {
  }

  /** A horizontal line and its meaning. */
  public record Tick(int y, String text) {
  }

  private BarChart(String title, List<Outcome> outcomes, ToDoubleFunction<Outcome> figure, boolean time) {
    this.title = title;
    double most = outcomes.stream().mapToDouble(figure).filter(Double::isFinite).max().orElse(1);
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
      double value = figure.applyAsDouble(outcome);
      boolean unending = Double.isInfinite(value);
      int height = (int) Math.round(HEIGHT * (unending ? 1 : Math.min(1, value / top)));
      bars.add(new Bar(kindOf(setting.kind()), labelOf(setting), setting.name() + ": "
          + (time ? Formats.time(value) : Formats.percent(value)), x, TOP + HEIGHT - height, BAR,
          height, unending));
      x += BAR + GAP;
    }
    width = x + GAP;
    for (int i = 0; i <= STEPS; i++) {
      double value = top * i / STEPS;
      ticks.add(new Tick(TOP + HEIGHT - HEIGHT * i / STEPS,
          time ? Formats.time(value) : Formats.percent(value)));
    }
  }

  static BarChart ofTime(String title, List<Outcome> outcomes, ToDoubleFunction<Outcome> seconds) {
    return new BarChart(title, outcomes, seconds, true);
  }

  static BarChart ofPart(String title, List<Outcome> outcomes, ToDoubleFunction<Outcome> part) {
    return new BarChart(title, outcomes, part, false);
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
      default -> setting.name().replace("exempt-application-types", "exempt")
          .replace("LAUNCHER", "launchers");
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
