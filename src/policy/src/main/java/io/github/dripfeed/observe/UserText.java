// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

/** Texts that users supply, such as names and types, for tables and log lines. */
public final class UserText {

  /** The longest text that is shown; the rest of a longer one is cut off. */
  private static final int LONGEST = 300;

  private UserText() {
  }

  /** The text in one line, without markup and without what would look like a line of its own in a log. */
  public static String plain(String text) {
    return text == null ? "" : cleaned(text, false);
  }

  /** The same for a word of a log line, which ends at the first space. */
  static String word(String text) {
    return text == null || text.isEmpty() ? "-" : cleaned(text, true);
  }

  private static String cleaned(String text, boolean word) {
    int length = Math.min(LONGEST, text.length());
    if (length < text.length() && Character.isHighSurrogate(text.charAt(length - 1))) {
      length--;
    }
    for (int i = 0; i < length; i++) {
      if (!isHarmless(text, i, word)) {
        return replaced(text, length, word);
      }
    }
    return length == text.length() ? text : text.substring(0, length);
  }

  private static String replaced(String text, int length, boolean word) {
    StringBuilder harmless = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      harmless.append(isHarmless(text, i, word) ? text.charAt(i) : '?');
    }
    return harmless.toString();
  }

  private static boolean isHarmless(String text, int at, boolean word) {
    char one = text.charAt(at);
    return !isHalf(text, at) && one != '<' && one != '>' && one != '&' && !Character.isISOControl(one)
        && one != '\u2028' && one != '\u2029' && !(word && one == ' ');
  }

  /** Whether it is half of a character, which YARN's pages would send as invalid UTF-8. */
  private static boolean isHalf(String text, int at) {
    char one = text.charAt(at);
    return Character.isHighSurrogate(one)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : Character.isLowSurrogate(one)
            && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }
}
