// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.terminal.Problem;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of options; each is null if the option was not given. */
final class Values {

  private static final Pattern APPLICATION =
      Pattern.compile("application_(\\d{1,19}_\\d{4,19})|appattempt_(\\d{1,19}_\\d{4,19})_\\d{6,10}");

  private Values() {
  }

  private static Problem wrong(String option, String value, String allowed) {
    return new Problem(Problem.WRONG_CALL, option + " = '" + value + "': allowed " + allowed);
  }

  /** A whole number; the default without a value. */
  static int number(String option, String value, int least, int most, int otherwise) throws Problem {
    if (value == null) {
      return otherwise;
    }
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
      throw wrong(option, value, "is a number from " + least + " to " + most);
    }
    return Integer.parseInt(value);
  }

  /** One of these words, in whichever case. */
  static String word(String option, String value, List<String> allowed) throws Problem {
    if (value == null) {
      return null;
    }
    return allowed.stream().filter(value::equalsIgnoreCase).findFirst()
        .orElseThrow(() -> wrong(option, value, "are " + String.join(", ", allowed)));
  }

  /** The id of an application, also if the text is that of one of its attempts. */
  static String application(String text) throws Problem {
    Matcher id = APPLICATION.matcher(text);
    if (!id.matches()) {
      throw new Problem(Problem.WRONG_CALL, "'" + text + "' is no id of an application:"
          + " application_<number>_<number>, such as application_1763887000000_0012");
    }
    return "application_" + (id.group(1) == null ? id.group(2) : id.group(1));
  }
}
