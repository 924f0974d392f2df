// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jline.utils.WCWidth;

/** Text for a terminal. Names and reasons come from outside, so nothing of them may control it. */
public final class Text {

  private static final Pattern BREAK = Pattern.compile("[\n\r\t]");
  private static final Pattern UNSEEN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private Text() {
  }

  /**
   * The text on one line, with a question mark for every character that is not to be seen: control
   * characters, and those that change the direction of what follows.
   */
  public static String safe(String text) {
    return UNSEEN.matcher(BREAK.matcher(text).replaceAll(" ")).replaceAll("?");
  }

  /** The number of columns that a terminal takes for it. */
  public static int width(String text) {
    return text.codePoints().map(WCWidth::wcwidth).sum();
  }

  /** The text, or its beginning with a mark, in at most this many columns. */
  public static String cut(String text, int columns) {
    if (width(text) <= columns) {
      return text;
    }
    StringBuilder cut = new StringBuilder();
    int left = columns - 1;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      left -= WCWidth.wcwidth(text.codePointAt(i));
      if (left < 0) {
        break;
      }
      cut.appendCodePoint(text.codePointAt(i));
    }
    return columns <= 0 ? "" : cut.append('~').toString();
  }

  /** The text with blanks behind it (or before it), in at least this many columns. */
  public static String pad(String text, int columns, boolean right) {
    StringBuilder blanks = new StringBuilder();
    while (blanks.length() < columns - width(text)) {
      blanks.append(' ');
    }
    return right ? blanks + text : text + blanks;
  }

  /** The text in lines of at most this many columns, broken between words where that is possible. */
  public static List<String> wrap(String text, int columns) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.trim().split(" +")) {
      if (line.length() > 0 && width(line.toString()) + 1 + width(word) > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
