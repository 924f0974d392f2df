// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.tool.Text;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code check} found, for a terminal: once for all queues of which the same is to be said. */
final class CheckText {

  private static final int NAME_WIDTH = 30;

  private final StringBuilder lines = new StringBuilder();

  /** @param all whether also properties are shown that have the default */
  static String of(CheckResult result, boolean all) {
    CheckText text = new CheckText();
    result.queues.stream().collect(Collectors.groupingBy(report -> Arrays.asList(report.orderingPolicy,
        report.properties, report.errors, report.advice), LinkedHashMap::new, Collectors.toList()))
        .values().forEach(alike -> text.add(alike, all));
    text.add("YARN " + result.hadoop + ": " + result.yarn
        + (!result.yarn.equals("accepts") ? "" : result.countErrors() == 0
            ? " the files, in its own validation"
            : " all but what is an ERROR here: a ResourceManager refuses these files"));
    text.add(result.errors, result.advice);
    long stateAware = result.queues.stream()
        .filter(report -> QueueCheck.POLICIES.containsKey(report.orderingPolicy)).count();
    text.add("Queues: " + result.queues.size() + ", state-aware: " + stateAware + ", errors: "
        + result.countErrors() + ", advice: " + result.countAdvice());
    return text.lines.toString();
  }

  /** Adds reports of which the same is to be said. */
  private void add(List<QueueReport> alike, boolean all) {
    QueueReport last = alike.get(alike.size() - 1);
    alike.forEach(report ->
        add(report.queue + (report == last ? ": " + report.orderingPolicy : "")));
    Stream.of(true, false).filter(isChanged -> isChanged || all).forEach(isChanged ->
        last.properties.entrySet().stream()
            .filter(each -> last.changed.contains(each.getKey()) == isChanged).forEach(each ->
                add((isChanged ? "  * " : "    ") + Text.pad(each.getKey(), NAME_WIDTH, false)
                + " " + (each.getValue().isEmpty() ? "(empty)" : each.getValue()))));
    int defaults = last.properties.size() - last.changed.size();
    if (!all && defaults > 0) {
      add("    " + defaults + " more with the default; --all");
    }
    add(last.errors, last.advice);
  }

  private void add(List<String> errors, List<String> advice) {
    errors.forEach(error -> add("  ERROR   " + error));
    advice.forEach(piece -> add("  ADVICE  " + piece));
  }

  /** The files may be hostile: nothing of them controls the terminal. */
  private void add(String line) {
    lines.append(Text.safe(line)).append(System.lineSeparator());
  }
}
