// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jline.utils.AttributedString;

/** Text for a terminal. Names and reasons come from outside, so nothing of them may control it. */
public final class Text {

  private Text() {
  }

  /** On one line, with a question mark for what controls a terminal or changes the direction of text. */
  public static String safe(String text) {
    return text.replaceAll("[\n\r\t]", " ").replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /** The number of columns that a terminal takes for it. */
  public static int width(String text) {
    return new AttributedString(text).columnLength();
  }

  /** The text, or its beginning with a mark, in at most this many columns. */
  public static String cut(String text, int columns) {
    return width(text) <= columns ? text : columns <= 0 ? ""
        : new AttributedString(text).columnSubSequence(0, columns - 1) + "~";
  }

  /** The text with blanks behind it (or before it), in at least this many columns. */
  public static String pad(String text, int columns, boolean right) {
    String blanks = String.join("", Collections.nCopies(Math.max(0, columns - width(text)), " "));
    return right ? blanks + text : text + blanks;
  }

  /** {@code 3 applications}, {@code 1 application}. */
  public static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** The first of these, with commas, and how many more there are. */
  public static String some(Collection<String> all, int most) {
    return all.stream().limit(most).collect(Collectors.joining(", "))
        + (all.size() > most ? " and " + (all.size() - most) + " more" : "");
  }

  /** The text in lines of at most this many columns, broken between words where that is possible. */
  public static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.trim().split(" +")) {
      if (!line.isEmpty() && width(line + " " + word) > columns) {
        lines.add(line);
        line = "";
      }
      line += (line.isEmpty() ? "" : " ") + word;
    }
    lines.add(line);
    return lines;
  }
}
