// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.Security;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * One test class in a separate process. Each test writes a line to a file when it ends: outcome, name,
 * milliseconds, and the stack trace of a failure with its lines joined.
 */
final class OneClass extends RunListener {

  static final String PASSED = "passed";
  static final String FAILED = "failed";
  static final String ENDED = "ended";
  static final String SKIPPED = "skipped";
  private static final String STARTED = "started, not ended";

  /** Some tests never end; the longest of the others takes two minutes. */
  private static final long MINUTES_A_TEST = 4;

  private final Thread tests = Thread.currentThread();
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
  private Future<?> limit;
  private final PrintStream out;
  private final Set<Description> failed = new HashSet<>();
  private long started;

  private OneClass(PrintStream out) {
    this.out = out;
  }

  /** @param args the class, and the output file */
  public static void main(String[] args) throws IOException, ClassNotFoundException {
    try (PrintStream out = new PrintStream(Path.of(args[1]).toFile(), "UTF-8")) {
      OneClass one = new OneClass(out);
      Security.insertProviderAt(new OneKeyPair(), 1);
      JUnitCore junit = new JUnitCore();
      junit.addListener(one);
      junit.run(Class.forName(args[0]));
      one.line(ENDED, "-", String.valueOf(Hold.applications()));
    }
    // Running schedulers of tests must not keep the process alive.
    Runtime.getRuntime().halt(0);
  }

  @Override
  public void testStarted(Description test) {
    started = System.nanoTime();
    line(STARTED, name(test), "");
    Thread.interrupted();
    limit = watch.schedule(tests::interrupt, MINUTES_A_TEST, TimeUnit.MINUTES);
  }

  @Override
  public void testFailure(Failure failure) {
    failed.add(failure.getDescription());
    line(FAILED, name(failure.getDescription()), failure.getTrace());
  }

  @Override
  public void testAssumptionFailure(Failure failure) {
    failed.add(failure.getDescription());
    line(SKIPPED, name(failure.getDescription()), failure.getMessage());
  }

  @Override
  public void testIgnored(Description test) {
    line(SKIPPED, name(test), "");
  }

  @Override
  public void testFinished(Description test) {
    limit.cancel(false);
    if (!failed.contains(test)) {
      line(PASSED, name(test), String.valueOf((System.nanoTime() - started) / 1_000_000));
    }
  }

  private static String name(Description test) {
    return test.getMethodName() == null ? "(the class)" : test.getMethodName();
  }

  private synchronized void line(String outcome, String name, String more) {
    out.println(outcome + "\t" + name.replaceAll("\\s", " ") + "\t"
        + String.valueOf(more).replace("\r", "").replace("\t", " ").replace("\n", " | "));
    out.flush();
  }
}
