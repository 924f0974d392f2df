// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jline.terminal.Size;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/** Where a command writes: a terminal, or a file or pipe, which gets neither colours nor progress. */
public final class Terminal {

  private static final int DEFAULT_WIDTH = 80;
  private static final int LEAST_WIDTH = 40;
  private static final int DEFAULT_HEIGHT = 24;

  public final PrintStream out;
  public final PrintStream err;
  /** Whether standard output is a terminal. */
  public final boolean live;
  /** Whether there is a person to see progress, which goes to standard error. */
  private final boolean errorsLive;
  private final boolean coloured;
  private int width;
  private int height = DEFAULT_HEIGHT;
  private boolean hasProgress;

  /** Whether output and errors go to a terminal, with a person before it, which may have colours. */
  public Terminal(PrintStream out, PrintStream err, boolean live, boolean errorsLive, boolean coloured,
      int width) {
    this.out = out;
    this.err = err;
    this.live = live;
    this.errorsLive = errorsLive;
    this.coloured = coloured;
    this.width = Math.max(LEAST_WIDTH, width);
  }

  /** The one of this process: a terminal if both standard input and output are one. */
  public static Terminal ofProcess(PrintStream out, PrintStream err) {
    ExecTerminalProvider jline = new ExecTerminalProvider();
    boolean live = jline.isSystemStream(SystemStream.Input) && jline.isSystemStream(SystemStream.Output);
    Terminal terminal = new Terminal(out, err, live, live && jline.isSystemStream(SystemStream.Error),
        live && allowsColours(System.getenv()), DEFAULT_WIDTH);
    terminal.measure();
    return terminal;
  }

  /** Whether these environment variables leave a terminal its colours (https://no-color.org). */
  static boolean allowsColours(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM"));
  }

  /** Finds the size, which changes when a person pulls at the window. */
  public void measure() {
    String columns = System.getenv("COLUMNS");
    try {
      if (columns != null && columns.matches("[1-9]\\d{1,3}")) {
        width = Math.max(LEAST_WIDTH, Integer.parseInt(columns));
      } else if (live) {
        Size size = new ExecTerminalProvider().current(SystemStream.Output).getSize();
        if (size.getRows() > 0 && size.getColumns() > 0) {
          height = size.getRows();
          width = Math.max(LEAST_WIDTH, size.getColumns());
        }
      }
    } catch (IOException e) {
      width = DEFAULT_WIDTH;
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

  /** Adds a text that is not empty to lines, behind this indentation and in this colour, or null. */
  public void wrap(List<String> lines, String indent, Colour colour, String text) {
    if (!text.isEmpty()) {
      Text.wrap(Text.safe(text), width - indent.length())
          .forEach(line -> lines.add(indent + (colour == null ? line : in(colour, line))));
    }
  }

  /** Findings, of which each has a line in a file: on a terminal, wrapped below where its text begins. */
  public List<String> wrapped(List<String> findings) {
    List<String> lines = new ArrayList<>();
    for (String finding : findings) {
      String text = finding.replaceFirst("^ *((ERROR|ADVICE) +)?", "");
      int before = finding.length() - text.length();
      List<String> parts = live && Text.width(finding) > width ? Text.wrap(text, width - before)
          : new ArrayList<>(Collections.singletonList(text));
      lines.add(finding.substring(0, before) + parts.remove(0));
      parts.forEach(part -> lines.add(Text.pad("", before, false) + part));
    }
    return lines;
  }

  /** The text in this colour, where there are colours. */
  public String in(Colour colour, String text) {
    return coloured ? new AttributedString(text, colour.style).toAnsi() : text;
  }

  /** The same for standard error, which may be a file where standard output is none. */
  public String inErrors(Colour colour, String text) {
    return errorsLive ? in(colour, text) : text;
  }

  /** Shows a line over the one before, for as long as something takes; an empty one ends that. */
  public void progress(String line) {
    if (errorsLive && (hasProgress || !line.isEmpty())) {
      hasProgress = !line.isEmpty();
      err.print("\r" + Text.pad(Text.cut(Text.safe(line), width - 1), width - 1, false)
          + (hasProgress ? "" : "\r"));
      err.flush();
    }
  }

  /** Starts the picture of a live display anew, over the one before. */
  public String home() {
    return live ? "\u001b[H\u001b[2J" : "";
  }

  /** What something is, by its colour. */
  public enum Colour {
    TITLE(AttributedStyle.BOLD), STARTING(AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW)),
    QUIET(AttributedStyle.DEFAULT.faint()), BAD(AttributedStyle.DEFAULT.foreground(AttributedStyle.RED));

    private final AttributedStyle style;

    Colour(AttributedStyle style) {
      this.style = style;
    }
  }
}
