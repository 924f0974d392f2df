// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows what runs, how far it is and how long it will still take: a bar on a terminal, a line now and then
 * elsewhere. May be used by several threads.
 */
public final class Progress implements AutoCloseable {

  /** How progress is shown. */
  public enum Kind {
    /** {@link #BAR} on a terminal, otherwise {@link #LINES}. */
    AUTO,
    /** One line that is written over. */
    BAR,
    /** A line now and then, as a log wants it. */
    LINES,
    /** Nothing. */
    NONE
  }

  private static final int LINE_SECONDS = 30;
  private static final int BAR_MILLIS = 500;

  private final PrintStream out;
  private final String unit;
  private final long begin = System.nanoTime();
  private final Set<Part> running = new LinkedHashSet<>();
  private final ScheduledExecutorService ticker;
  private final ProgressBar bar;
  private long plannedUnits;
  private long endedUnits;
  private int plannedParts;
  private int endedParts;

  /**
   * @param out where it is shown
   * @param unit what is counted, in the plural
   */
  public Progress(Kind kind, PrintStream out, String unit) {
    this(kind, out, unit, LINE_SECONDS * 1000L);
  }

  Progress(Kind kind, PrintStream out, String unit, long lineMillis) {
    this.out = out;
    this.unit = unit;
    boolean bars = kind == Kind.BAR || kind == Kind.AUTO && isTerminal();
    bar = bars ? new ProgressBarBuilder().setInitialMax(0).setTaskName("")
        .setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(BAR_MILLIS)
        .setConsumer(new ConsoleProgressBarConsumer(out)).build() : null;
    ticker = kind == Kind.NONE ? null : Executors.newSingleThreadScheduledExecutor(run -> {
      Thread thread = new Thread(run, "progress");
      thread.setDaemon(true);
      return thread;
    });
    if (bars) {
      ticker.scheduleAtFixedRate(this::updateBar, BAR_MILLIS, BAR_MILLIS, TimeUnit.MILLISECONDS);
    } else if (ticker != null) {
      ticker.scheduleAtFixedRate(
          () -> out.println(line()), lineMillis, lineMillis, TimeUnit.MILLISECONDS);
    }
  }

  /** Since Java 22 there is a console without a terminal, too. */
  private static boolean isTerminal() {
    Console console = System.console();
    if (console == null || System.getenv("TERM") == null || System.getenv("TERM").equals("dumb")) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }

  /** Something that runs. */
  public final class Part {
    private final String title;
    private final int units;
    private long virtualMillis = -1;
    private int done;

    private Part(String title, int units) {
      this.title = title;
      this.units = units;
    }

    /** The simulation is that far, by its own clock. */
    void reached(long millis, int ended) {
      synchronized (Progress.this) {
        virtualMillis = millis;
        done = Math.min(units, ended);
      }
    }

    /** Nothing is left of it to do. */
    public void end() {
      synchronized (Progress.this) {
        running.remove(this);
        endedUnits += units;
        endedParts++;
      }
    }

    @Override
    public String toString() {
      return virtualMillis < 0 ? title : title + " at " + Formats.time(virtualMillis / 1000.0);
    }
  }

  /** So much more is to do before the end. */
  public synchronized void planned(int units) {
    plannedUnits += units;
    plannedParts++;
  }

  /** A planned part begins. */
  public synchronized Part begin(String title, int units) {
    Part part = new Part(title, units);
    running.add(part);
    return part;
  }

  /** Prints lines of the program between those of the progress. */
  public synchronized void print(Runnable printing) {
    if (bar == null) {
      printing.run();
      return;
    }
    out.print("\r\033[K");
    out.flush();
    printing.run();
    bar.refresh();
  }

  private synchronized void updateBar() {
    bar.maxHint(plannedUnits);
    bar.stepTo(done());
    bar.setExtraMessage(" " + now());
  }

  private long done() {
    return endedUnits + running.stream().mapToInt(part -> part.done).sum();
  }

  private String now() {
    StringJoiner titles = new StringJoiner("; ");
    running.forEach(part -> titles.add(part.toString()));
    return titles.toString();
  }

  /** What is known now, in one line. */
  synchronized String line() {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);
    long done = done();
    String left = done == 0 ? "" : ", about " + Formats.time(
        elapsed.toSeconds() * (double) (plannedUnits - done) / done) + " left";
    return endedParts + " of " + plannedParts + " " + unit + " done in "
        + Formats.time(elapsed.toSeconds()) + left + (running.isEmpty() ? "" : "; now " + now());
  }

  @Override
  public void close() {
    if (ticker != null) {
      ticker.shutdownNow();
    }
    if (bar != null) {
      bar.close();
    }
  }
}
