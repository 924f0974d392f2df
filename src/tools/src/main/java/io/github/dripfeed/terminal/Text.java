// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text for a terminal. Names and reasons come from outside, so nothing of them may control it. */
public final class Text {

  private Text() {
  }

  /**
   * The text on one line, with a question mark for every character that is not to be seen: control
   * characters, and those that change the direction of what follows.
   */
  public static String safe(String text) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints().forEach(character -> {
      if (character == '\n' || character == '\r' || character == '\t') {
        safe.append(' ');
      } else if (isVisible(character)) {
        safe.appendCodePoint(character);
      } else {
        safe.append('?');
      }
    });
    return safe.toString();
  }

  /** Whether it is of visible ASCII characters and blanks alone, as most texts are. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  private static boolean isVisible(int character) {
    switch (Character.getType(character)) {
      case Character.CONTROL:
      case Character.FORMAT:
      case Character.LINE_SEPARATOR:
      case Character.PARAGRAPH_SEPARATOR:
      case Character.SURROGATE:
      case Character.PRIVATE_USE:
      case Character.UNASSIGNED:
        return false;
      default:
        return true;
    }
  }

  /** The number of columns that a terminal takes for it. */
  public static int width(String text) {
    return text.codePoints().map(Text::width).sum();
  }

  private static int width(int character) {
    int type = Character.getType(character);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide = character >= 0x1100 && character <= 0x115F
        || character >= 0x2E80 && character <= 0xA4CF
        || character >= 0xAC00 && character <= 0xD7A3
        || character >= 0xF900 && character <= 0xFAFF
        || character >= 0xFE30 && character <= 0xFE6F
        || character >= 0xFF00 && character <= 0xFF60
        || character >= 0xFFE0 && character <= 0xFFE6
        || character >= 0x1F300 && character <= 0x1F64F
        || character >= 0x1F900 && character <= 0x1F9FF
        || character >= 0x20000 && character <= 0x3FFFD;
    return wide ? 2 : 1;
  }

  /** The text, or its beginning with a mark, in at most this many columns. */
  public static String cut(String text, int columns) {
    if (width(text) <= columns) {
      return text;
    }
    StringBuilder cut = new StringBuilder();
    int left = columns - 1;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      left -= width(text.codePointAt(i));
      if (left < 0) {
        break;
      }
      cut.appendCodePoint(text.codePointAt(i));
    }
    return columns <= 0 ? "" : cut.append('~').toString();
  }

  /** The text with blanks behind it (or before it), in at least this many columns. */
  public static String pad(String text, int columns, boolean right) {
    String blanks = blanks(columns - width(text));
    return right ? blanks + text : text + blanks;
  }

  static String blanks(int count) {
    StringBuilder blanks = new StringBuilder();
    for (int i = 0; i < count; i++) {
      blanks.append(' ');
    }
    return blanks.toString();
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
