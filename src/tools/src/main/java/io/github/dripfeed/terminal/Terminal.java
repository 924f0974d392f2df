// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;

/** Where a command writes: a terminal, or a file or pipe, which gets neither colours nor progress. */
public final class Terminal {

  private static final int DEFAULT_WIDTH = 80;
  private static final int DEFAULT_HEIGHT = 24;
  private static final int LEAST_WIDTH = 40;

  private final PrintStream out;
  private final PrintStream err;
  private final boolean live;
  private final boolean errorsLive;
  private final boolean coloured;
  private int width;
  private int height;

  /**
   * @param live whether it is a terminal, with a person before it
   * @param coloured whether it may have colours
   */
  public Terminal(PrintStream out, PrintStream err, boolean live, boolean coloured, int width) {
    this(out, err, live, live, coloured, width);
  }

  /**
   * @param live whether standard output is a terminal, with a person before it
   * @param errorsLive whether standard error is one, too
   * @param coloured whether they may have colours
   */
  public Terminal(PrintStream out, PrintStream err, boolean live, boolean errorsLive, boolean coloured,
      int width) {
    this.out = out;
    this.err = err;
    this.live = live;
    this.errorsLive = errorsLive;
    this.coloured = coloured;
    this.width = Math.max(LEAST_WIDTH, width);
    this.height = DEFAULT_HEIGHT;
  }

  /** The one of this process. */
  public static Terminal ofProcess(PrintStream out, PrintStream err) {
    boolean live = isTerminal();
    Terminal terminal = new Terminal(out, err, live, live && isErrorTerminal(),
        live && allowsColours(System.getenv()), DEFAULT_WIDTH);
    terminal.measure();
    return terminal;
  }

  /** Whether these environment variables leave a terminal its colours (https://no-color.org). */
  static boolean allowsColours(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM"));
  }

  /** Whether standard input and output of this process are a terminal. */
  public static boolean isTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there is a console without a terminal, too.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /**
   * A console tells of standard input and output alone. A child with the same standard error can tell of
   * that; where there is no shell, it is taken for a file, which is never wrong to read.
   */
  private static boolean isErrorTerminal() {
    try {
      return new ProcessBuilder("sh", "-c", "test -t 2")
          .redirectError(ProcessBuilder.Redirect.INHERIT).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Finds the size, which changes when a person pulls at the window. */
  public void measure() {
    String columns = System.getenv("COLUMNS");
    if (columns != null && columns.matches("[1-9]\\d{1,3}")) {
      width = Math.max(LEAST_WIDTH, Integer.parseInt(columns));
    } else if (live) {
      askForSize();
    }
  }

  private void askForSize() {
    try {
      Process stty = new ProcessBuilder("stty", "size")
          .redirectInput(new File("/dev/tty")).redirectErrorStream(true).start();
      try (InputStream answer = stty.getInputStream(); Scanner scanner = new Scanner(answer, "US-ASCII")) {
        int rows = scanner.hasNextInt() ? scanner.nextInt() : 0;
        int found = scanner.hasNextInt() ? scanner.nextInt() : 0;
        if (rows > 0 && found > 0) {
          height = rows;
          width = Math.max(LEAST_WIDTH, found);
        }
      }
      stty.waitFor(1, TimeUnit.SECONDS);
    } catch (IOException e) {
      width = DEFAULT_WIDTH;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The number of columns. */
  public int width() {
    return width;
  }

  /** The number of lines. */
  public int height() {
    return height;
  }

  /** Whether standard output is a terminal. */
  public boolean isLive() {
    return live;
  }

  /** Whether there is a person to see progress, which goes to standard error. */
  public boolean showsProgress() {
    return errorsLive;
  }

  public PrintStream out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  /** The text in this colour, where there are colours. */
  public String in(Colour colour, String text) {
    return coloured ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
  }

  /** The same for standard error, which may be a file where standard output is none. */
  public String inErrors(Colour colour, String text) {
    return errorsLive ? in(colour, text) : text;
  }

  /** Starts the picture of a live display anew, over the one before. */
  public String home() {
    return live ? "\u001b[H\u001b[2J" : "";
  }

  /** What something is, by its colour. */
  public enum Colour {
    TITLE("1"), STARTING("33"), QUIET("2"), BAD("31"), RUNNING("36");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }
}
