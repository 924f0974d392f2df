// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One test class on both policies. The first runs are concurrent. If a test fails, further runs without
 * concurrency decide: many of Hadoop's tests have short timeouts, and some have races. A test that then
 * fails once on stock says nothing about ours. Any other test is a difference if it fails on ours in at
 * least half of the runs; otherwise it is reported as unsteady.
 */
final class Comparison {

  private final Class<?> testClass;
  private final List<Results> stock = new ArrayList<>();
  private final List<Results> ours = new ArrayList<>();

  Comparison(Class<?> testClass, Results stock, Results ours) {
    this.testClass = testClass;
    add(stock, ours);
  }

  void add(Results ofStock, Results ofOurs) {
    stock.add(ofStock);
    ours.add(ofOurs);
  }

  Class<?> testClass() {
    return testClass;
  }

  /** The number of applications that our policies received. */
  int applications() {
    return ours.stream().mapToInt(Results::applications).max().getAsInt();
  }

  /** All tests of either policy. */
  List<String> tests() {
    return Stream.concat(stock.get(0).tests().stream(), ours.get(0).tests().stream()).distinct()
        .collect(Collectors.toList());
  }

  List<String> passedOnStock() {
    return tests().stream().filter(this::passedOnStock).collect(Collectors.toList());
  }

  /** The tests that pass on stock. */
  List<String> passedOnOurs() {
    return passedOnStock().stream().filter(this::passedOnOurs).collect(Collectors.toList());
  }

  private boolean passedOnStock(String test) {
    return counted(stock).allMatch(run -> run.passed(test));
  }

  private boolean passedOnOurs(String test) {
    return 2 * timesPassedOnOurs(test) > counted(ours).count();
  }

  private long timesPassedOnOurs(String test) {
    return counted(ours).filter(run -> run.passed(test)).count();
  }

  private static Stream<Results> counted(List<Results> runs) {
    return runs.stream().skip(runs.size() > 1 ? 1 : 0);
  }

  boolean hasFailures() {
    return !tests().stream().allMatch(
        test -> stock.get(0).skipped(test) || passedOnStock(test) && passedOnOurs(test));
  }

  boolean differs() {
    return passedOnOurs().size() < passedOnStock().size();
  }

  /** The differences, each with its stack trace. */
  List<String> differences() {
    List<String> differences = passedOnStock();
    differences.removeAll(passedOnOurs());
    differences.replaceAll(test -> name(test) + "\n" + trace(ours, test));
    return differences;
  }

  /** The failures that are no differences, each with the reason. */
  List<String> remarks() {
    List<String> lines = new ArrayList<>();
    for (String test : tests()) {
      if (!passedOnStock(test)) {
        lines.add("Not counted, does not pass on stock: " + name(test) + ": " + firstLine(stock, test));
      } else if (passedOnOurs(test) && !ours.stream().allMatch(run -> run.passed(test))) {
        lines.add("Unsteady on ours, passes in " + timesPassedOnOurs(test) + " of " + counted(ours).count()
            + " runs alone: " + name(test) + ": " + firstLine(ours, test));
      }
    }
    return lines;
  }

  private String name(String test) {
    return testClass.getSimpleName() + "." + test;
  }

  private static String firstLine(List<Results> runs, String test) {
    return trace(runs, test).split("\n", 2)[0];
  }

  private static String trace(List<Results> runs, String test) {
    return runs.stream().filter(run -> !run.passed(test)).findFirst().map(run -> run.trace(test))
        .orElse("");
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT,
        "%-62s %3d tests, passed on stock %3d, on ours %3d; %5d applications%s",
        testClass.getSimpleName(), tests().size(), passedOnStock().size(), passedOnOurs().size(),
        applications(), differs() ? "  DIFFERENT" : "");
  }
}
