// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The options and arguments of a call. */
final class Options {

  private static final Pattern APPLICATION = Pattern.compile("application_\\d{1,19}_\\d{4,19}");
  private static final Pattern ATTEMPT = Pattern.compile("appattempt_(\\d{1,19}_\\d{4,19})_\\d{6,10}");
  private static final Pattern QUEUE = Pattern.compile("[^\\s\\p{Cntrl}]{1,1000}");
  private static final int MOST_SECONDS = 3600;

  private final Map<String, String> values = new HashMap<>();
  private final List<String> arguments = new ArrayList<>();

  /**
   * Reads a call.
   *
   * @param flags the options that stand alone
   * @param valued the options with a value
   * @throws Problem if the call has others, or one of them twice
   */
  Options(List<String> call, List<String> flags, List<String> valued) throws Problem {
    TreeSet<String> known = new TreeSet<>(flags);
    known.addAll(valued);
    for (int i = 0; i < call.size(); i++) {
      String option = call.get(i);
      String name = name(option);
      String value = "";
      if (valued.contains(name)) {
        if (!name.equals(option)) {
          value = option.substring(name.length() + 1);
        } else if (++i < call.size() && !known.contains(name(call.get(i)))) {
          value = call.get(i);
        } else {
          throw new Problem(Problem.WRONG_CALL, name + ": a value has to follow" + (i == call.size() ? ""
              : ", and not the option " + call.get(i) + "; for that text, " + name + "=" + call.get(i)));
        }
        if (value.isEmpty()) {
          throw new Problem(Problem.WRONG_CALL, name + ": the value is empty");
        }
      } else if (option.startsWith("-") && !flags.contains(option)) {
        throw new Problem(Problem.WRONG_CALL,
            "No such option: '" + option + "'; there are " + String.join(", ", known));
      } else if (!option.startsWith("-")) {
        arguments.add(option);
        continue;
      }
      if (values.put(name, value) != null) {
        throw new Problem(Problem.WRONG_CALL, name + ": given twice");
      }
    }
  }

  private static String name(String option) {
    int equals = option.indexOf('=');
    return option.startsWith("--") && equals > 0 ? option.substring(0, equals) : option;
  }

  /** What stands beside the options. */
  List<String> arguments() {
    return Collections.unmodifiableList(arguments);
  }

  /** @throws Problem if anything stands beside the options */
  void requireNoArguments() throws Problem {
    if (!arguments.isEmpty()) {
      throw new Problem(Problem.WRONG_CALL, "Only options are expected, not '" + arguments.get(0) + "'");
    }
  }

  boolean has(String flag) {
    return values.containsKey(flag);
  }

  /** The value of an option; null if it was not given. */
  String value(String option) {
    return values.get(option);
  }

  /** The value of an option that is a whole number; the default if it was not given. */
  int number(String option, int least, int most, int otherwise) throws Problem {
    String value = value(option);
    if (value == null) {
      return otherwise;
    }
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
      throw new Problem(Problem.WRONG_CALL,
          option + " = '" + value + "': allowed is a number from " + least + " to " + most);
    }
    return Integer.parseInt(value);
  }

  /** The value of {@code option} in seconds, which is at least one; the default if it was not given. */
  int seconds(String option, int otherwise) throws Problem {
    return number(option, 1, MOST_SECONDS, otherwise);
  }

  /** The value of an option that is one of these words; null if it was not given. */
  String word(String option, String... allowed) throws Problem {
    String value = value(option);
    return value == null ? null : word(option, value, allowed);
  }

  private static String word(String option, String value, String[] allowed) throws Problem {
    for (String word : allowed) {
      if (word.equalsIgnoreCase(value)) {
        return word;
      }
    }
    throw new Problem(Problem.WRONG_CALL, option + " = '" + value + "': allowed are "
        + String.join(", ", Arrays.asList(allowed)));
  }

  /** The words of an option, which commas separate; empty if it was not given. */
  List<String> words(String option, String... allowed) throws Problem {
    List<String> words = new ArrayList<>();
    String value = value(option);
    for (String one : value == null ? new String[0] : value.split(",", -1)) {
      words.add(word(option, one.trim(), allowed));
    }
    return words;
  }

  /** The value of {@code --queue}; null if it was not given. */
  String queue() throws Problem {
    String queue = value("--queue");
    if (queue != null && !QUEUE.matcher(queue).matches()) {
      throw new Problem(Problem.WRONG_CALL,
          "--queue = '" + queue + "': allowed is the path of a queue, such as root.batch");
    }
    return queue;
  }

  /** The id of an application, also if the text is that of one of its attempts. */
  static String application(String text) throws Problem {
    if (APPLICATION.matcher(text).matches()) {
      return text;
    } else if (ATTEMPT.matcher(text).matches()) {
      return ATTEMPT.matcher(text).replaceAll("application_$1");
    }
    throw new Problem(Problem.WRONG_CALL, "'" + text + "' is no id of an application:"
        + " application_<number>_<number>, such as application_1763887000000_0012");
  }
}
