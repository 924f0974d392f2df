// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyProperty;
import io.github.dripfeed.tool.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The result of the check for one leaf queue. Its fields are public since it is also written as JSON. */
final class QueueReport {

  /** The ordering policy of a queue that is no leaf queue. */
  static final String NO_POLICY = "none";
  private static final int NAME_WIDTH = 30;

  /** The path of the queue. */
  public final String queue;
  public final String orderingPolicy;
  /** The state-aware properties in effect; empty if the queue is not state-aware. */
  public Map<String, String> properties = Collections.emptyMap();
  /** Those of the properties that are not the default. */
  public Set<String> changed = Collections.emptySet();
  /** The settings that a ResourceManager would refuse. */
  public final List<String> errors = new ArrayList<>();
  /** Settings that are allowed but should be changed. */
  public final List<String> advice = new ArrayList<>();

  QueueReport(String queue, String orderingPolicy) {
    this.queue = queue;
    this.orderingPolicy = orderingPolicy;
  }

  void adviseIf(boolean applies, String piece) {
    if (applies) {
      advice.add(piece);
    }
  }

  boolean has(PolicyProperty property, String value) {
    return value.equals(properties.get(property.key()));
  }

  /** Whether as many applications of a state-aware queue start at once as there is room for. */
  boolean isAuto() {
    return has(PolicyProperty.MAX_STARTING, PolicyProperty.AUTO);
  }

  /** How many applications of a state-aware queue start at once, whatever their size. */
  int starts() {
    return isAuto() ? 1 : Integer.parseInt(properties.get(PolicyProperty.MAX_STARTING.key()));
  }

  /** Whether a state-aware queue names no group, so that its applications count alone. */
  boolean isAlone() {
    return has(PolicyProperty.STARTING_GROUP, "");
  }

  /** Adds the lines on its properties, errors and advice. */
  void addTo(List<String> lines, boolean all) {
    Stream.of(true, false).filter(isChanged -> isChanged || all).forEach(isChanged ->
        properties.entrySet().stream()
            .filter(each -> changed.contains(each.getKey()) == isChanged).forEach(each ->
                lines.add((isChanged ? "  * " : "    ") + Text.pad(each.getKey(), NAME_WIDTH, false)
                    + " " + (each.getValue().isEmpty() ? "(empty)" : each.getValue()))));
    int defaults = properties.size() - changed.size();
    if (!all && defaults > 0) {
      lines.add("    " + defaults + " more with the default; --all");
    }
    add(errors, advice, lines);
  }

  static void add(List<String> errors, List<String> advice, List<String> lines) {
    errors.forEach(error -> lines.add("  ERROR   " + error));
    advice.forEach(piece -> lines.add("  ADVICE  " + piece));
  }
}
