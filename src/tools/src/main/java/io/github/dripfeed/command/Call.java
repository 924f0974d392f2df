// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Addresses;
import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Progress;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** One call of a command: its options, its terminal, and the ResourceManagers that it asks. */
final class Call {

  static final String JSON = "--json";
  /** The options of every command that asks a ResourceManager. */
  static final String USAGE =
      "  --rm URL[,URL]   the web address of the ResourceManager, such as http://host:8088, or those\n"
          + "                   of an HA pair; unless given, yarn-site.xml on the class path says it\n"
          + "  --timeout S      give up after this many seconds without an answer (20),\n"
          + "                   and after three times as many without the end of it\n"
          + "  --help, --version\n";
  /** The meaning of the exit codes that every command has. */
  static final String EXIT_CODES =
      "  2 wrong call, 3 no active ResourceManager can be reached, 4 not logged in or not allowed,\n"
          + "  5 what answers is no ResourceManager with Dripfeed";
  private static final int TIMEOUT_SECONDS = 20;

  private final Options options;
  private final Terminal terminal;
  private final ResourceManagers resourceManagers;

  /**
   * @param call what follows the name of the command
   * @param flags the options without a value that the command has besides
   * @param valued those with a value
   */
  Call(List<String> call, List<String> flags, List<String> valued, Terminal terminal) throws Problem {
    List<String> allValued = new ArrayList<>(valued);
    allValued.addAll(Arrays.asList("--rm", "--timeout"));
    this.options = new Options(call, flags, allValued);
    this.terminal = terminal;
    Configuration yarnSite = new Configuration(false);
    yarnSite.addResource("core-site.xml");
    yarnSite.addResource("yarn-site.xml");
    resourceManagers = new ResourceManagers(Addresses.find(options.value("--rm"), yarnSite), yarnSite,
        options.seconds("--timeout", TIMEOUT_SECONDS),
        notice -> terminal.err().println(Text.safe(notice)));
  }

  Options options() {
    return options;
  }

  Terminal terminal() {
    return terminal;
  }

  ResourceManagers resourceManagers() {
    return resourceManagers;
  }

  /** Reads Dripfeed's tables, with a progress line while that takes long. */
  Reading read() throws Problem {
    Progress progress = new Progress(terminal, "Asking " + resourceManagers.first());
    try {
      return resourceManagers.read();
    } finally {
      progress.close();
    }
  }

  /** Reads what those on standby still have, besides what the active one has. */
  List<Reading> standbys(Reading active) {
    Progress progress = new Progress(terminal, "Asking the other ResourceManager");
    try {
      return resourceManagers.standbys(active.address());
    } finally {
      progress.close();
    }
  }

  /** Reads what is left in the queues. */
  Rooms rooms(Reading reading) {
    Progress progress = new Progress(terminal, "Asking " + reading.address() + " for room");
    try {
      return resourceManagers.rooms(reading.address());
    } finally {
      progress.close();
    }
  }

  boolean isJson() {
    return options.has(JSON);
  }

  /** Where people's times are told. */
  static ZoneId zone() {
    return ZoneId.systemDefault();
  }

  /** Prints a document, indented or on one line. */
  void print(Object document, boolean oneLine) {
    terminal.out().println(oneLine ? JsonText.oneLine(document) : JsonText.indented(document));
    terminal.out().flush();
  }

  /** The beginning of an answer's document: who has told it, and when. */
  static Map<String, Object> answer(int exitCode, Reading reading) {
    Map<String, Object> document = outcome(exitCode, "resourceManager", reading.address().toString());
    document.put("version", reading.version());
    document.put("time", reading.time());
    return document;
  }

  /** The document of a problem for {@code --json}. */
  static Map<String, Object> errors(Problem problem) {
    return outcome(problem.exitCode(), "errors", Collections.singletonList(problem.getMessage()));
  }

  /** The document of a call with one thing to say. */
  static Map<String, Object> outcome(int exitCode, String name, Object content) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("exitCode", exitCode);
    document.put(name, content);
    return document;
  }
}
