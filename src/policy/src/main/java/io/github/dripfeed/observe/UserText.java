// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

/** Texts that users supply, such as names and types, for tables and log lines. */
public final class UserText {

  /** The longest text that is shown; the rest of a longer one is cut off, after a word where it has any. */
  private static final int LONGEST = 300;
  private static final String MORE = " ...";

  private UserText() {
  }

  /** The text in one line, without markup and without what would look like a line of its own in a log. */
  public static String plain(String text) {
    if (text == null) {
      return "";
    }
    int end = text.lastIndexOf(' ', LONGEST - MORE.length());
    return text.length() > LONGEST && end > LONGEST / 2
        ? cleaned(text.substring(0, end), false) + MORE : cleaned(text, false);
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
    StringBuilder harmless = new StringBuilder(length);
    text.substring(0, length).codePoints()
        .forEach(one -> harmless.appendCodePoint(isHarmless(one, word) ? one : '?'));
    return harmless.toString();
  }

  /** Half of a character is not: YARN's pages would send it as invalid UTF-8. */
  private static boolean isHarmless(int one, boolean word) {
    return Character.getType(one) != Character.SURROGATE && one != '<' && one != '>' && one != '&'
        && !Character.isISOControl(one) && one != '\u2028' && one != '\u2029' && !(word && one == ' ');
  }
}
