// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs Hadoop's own tests of the Capacity Scheduler with a stock policy in every leaf queue, and with ours,
 * configured to hold no application: what passes on stock has to pass on ours.
 */
public final class HadoopTests {

  /** The minimum that must run with applications in our policy, so that an empty run is no success. */
  private static final int LEAST_CLASSES = 38;
  private static final int LEAST_TESTS = 350;
  /** The maximum number of repetitions, without concurrency, of a class with a difference. */
  private static final int RERUNS = 5;
  /** Tests wait more than they work, but each process is a ResourceManager. */
  private static final int PROCESSES = Math.min(8, 2 * Runtime.getRuntime().availableProcessors());
  /** A class that has to detect the defect. */
  private static final String CONTROL = "TestApplicationPriority";

  private final ExecutorService processes = Executors.newFixedThreadPool(PROCESSES);
  private final Variant stock;
  private final Variant ours;
  private final boolean complete;
  private final List<Comparison> comparisons = new ArrayList<>();

  private HadoopTests(Variant stock, Variant ours, boolean complete) {
    this.stock = stock;
    this.ours = ours;
    this.complete = complete;
  }

  /**
   * @param args the working folder; {@code fifo}, {@code fair} or both with a comma; and part of the
   *     names of the classes to run, or {@code all}
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]).toAbsolutePath();
    List<Class<?>> classes = new ArrayList<>(HadoopJar.testClasses());
    Class<?> control =
        classes.stream().filter(found -> found.getSimpleName().equals(CONTROL)).findFirst().orElseThrow();
    boolean complete = args[2].equals("all");
    classes.removeIf(found -> !complete && !found.getName().contains(args[2]));
    HadoopJar.LEFT_OUT.forEach((name, why) -> System.out.println("Left out: " + name + ": " + why));
    boolean good = notices(folder, control);
    for (String policy : args[1].split(",")) {
      Class<?> policyClass = policy.equals("fair") ? NothingHeldFair.class : NothingHeld.class;
      HadoopTests tests = new HadoopTests(new Variant(folder, policy, policy),
          new Variant(folder, "state-aware-" + policy, policyClass.getName()), complete);
      tests.run(classes);
      tests.runFailedAgain();
      good &= tests.report();
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean notices(Path folder, Class<?> control) throws Exception {
    HadoopTests tests = new HadoopTests(new Variant(folder, "fifo", "fifo"),
        new Variant(folder, "backwards", Backwards.class.getName()), false);
    tests.run(List.of(control));
    boolean noticed = tests.comparisons.get(0).differs();
    System.out.println(noticed ? "As it should be: a policy with a mistake is noticed.\n"
        : "A policy with a mistake is not noticed: this says nothing.\n");
    return noticed;
  }

  private void run(List<Class<?>> classes) throws Exception {
    System.out.println("Hadoop's tests of schedulers, " + stock.name() + " beside " + ours.name());
    long started = System.nanoTime();
    try {
      List<Future<Comparison>> beside = new ArrayList<>();
      for (Class<?> testClass : classes) {
        beside.add(processes.submit(() -> compare(testClass)));
      }
      for (Future<Comparison> comparison : beside) {
        comparisons.add(comparison.get());
      }
    } finally {
      processes.shutdownNow();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - started);
    System.out.println("It took " + took.toMinutes() + " minutes.");
  }

  private Comparison compare(Class<?> testClass) throws Exception {
    Comparison comparison = new Comparison(testClass, stock.run(testClass), ours.run(testClass));
    System.out.println(comparison);
    return comparison;
  }

  private void runFailedAgain() throws Exception {
    for (Comparison comparison : comparisons) {
      for (int i = 0; i < RERUNS && (comparison.differs() || i == 0 && comparison.hasFailures()); i++) {
        comparison.add(stock.run(comparison.testClass()), ours.run(comparison.testClass()));
        System.out.println("Again, alone: " + comparison);
      }
    }
  }

  private boolean report() {
    int classes = 0;
    int tests = 0;
    int onStock = 0;
    int onOurs = 0;
    List<String> differences = new ArrayList<>();
    System.out.println();
    for (Comparison comparison : comparisons) {
      comparison.remarks().forEach(System.out::println);
      differences.addAll(comparison.differences());
      if (comparison.applications() > 0) {
        classes++;
        tests += comparison.tests().size();
        onStock += comparison.passedOnStock().size();
        onOurs += comparison.passedOnOurs().size();
      }
    }
    differences.forEach(difference -> System.out.println("\nDIFFERENCE " + difference));
    String row = "%n%-20s%10s%10s%18s%18s%14s";
    System.out.printf(Locale.ROOT, row + row + "%nClasses: in %d of %d, applications come to a policy.%n%n",
        "", "classes", "tests", "passed on stock", "passed on ours", "differences",
        ours.name(), classes, tests, onStock, onOurs, differences.size(), classes, comparisons.size());
    boolean enough = !complete || classes >= LEAST_CLASSES && onStock >= LEAST_TESTS;
    if (!enough) {
      System.out.println("Too few: expected are at least " + LEAST_CLASSES
          + " classes with applications, and " + LEAST_TESTS + " tests of theirs that pass on stock.");
    }
    // At least one has passed, even if few were requested.
    boolean any = comparisons.stream().anyMatch(comparison -> !comparison.passedOnOurs().isEmpty());
    return differences.isEmpty() && enough && any;
  }
}
