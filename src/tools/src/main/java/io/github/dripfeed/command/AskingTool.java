// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Address;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Progress;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Tool;
import io.github.dripfeed.version.Version;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that asks a ResourceManager. Its fields and methods name no class that only Hadoop has. */
abstract class AskingTool extends Tool {

  /** The meaning of the exit codes that every command has. */
  static final String EXIT_CODES =
      "  2 wrong call, 3 no active ResourceManager can be reached, 4 not logged in or not allowed,%n"
          + "  5 what answers is no ResourceManager with Dripfeed";
  private static final String TIMEOUT = "--timeout";
  static final int MOST_SECONDS = 3600;

  @Spec
  private CommandSpec spec;
  @Option(names = "--rm", paramLabel = "URL[,URL]", order = SHARED, description = {
      "the web address of the ResourceManager, such as http://host:8088, or those",
      "of an HA pair; unless given, yarn-site.xml on the class path says it"})
  private String addresses;
  @Option(names = TIMEOUT, paramLabel = "S", order = SHARED, description = {
      "give up after this many seconds without an answer (20),",
      "and after three times as many without the end of it"})
  private String timeout = "20";
  /** The ResourceManagers; {@link #read} shows progress besides. */
  ResourceManagers resourceManagers;
  /** The version that the ResourceManager is not said to differ from any more. */
  private String told = Version.number();

  AskingTool(Terminal terminal) {
    super(terminal);
  }

  @Override
  public final Integer call() throws Problem {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (option.stringValues().contains("")) {
        throw new Problem(Problem.WRONG_CALL, option.longestName() + ": the value is empty");
      }
    }
    Configuration yarnSite = new Configuration(false);
    yarnSite.addResource("core-site.xml");
    yarnSite.addResource("yarn-site.xml");
    resourceManagers = new ResourceManagers(Address.find(addresses, yarnSite), yarnSite,
        Values.number(TIMEOUT, timeout, 1, MOST_SECONDS),
        notice -> terminal.err().println(Text.safe(notice)));
    return run();
  }

  /** @return the exit code */
  abstract int run() throws Problem;

  /** Something that only a ResourceManager can tell. */
  interface Question<T> {
    T ask() throws Problem;
  }

  /** Asks, with a progress line while that takes long. */
  @SuppressWarnings("try")
  final <T> T ask(String whom, Question<T> question) throws Problem {
    try (Progress progress = new Progress(terminal, "Asking " + whom)) {
      return question.ask();
    }
  }

  /** Reads Dripfeed's tables, and says if that is another Dripfeed than this one. */
  final Reading read() throws Problem {
    Reading reading = ask(resourceManagers.first().toString(), resourceManagers::read);
    if (!told.isEmpty() && !reading.version().isEmpty() && !told.equals(reading.version())) {
      terminal.err().println(Text.safe("These commands are of Dripfeed " + told + ", and "
          + reading.address() + " has Dripfeed " + reading.version()));
      told = reading.version();
    }
    return reading;
  }

  /** An answer's document: who has told it, and when; and then these names, each with its value. */
  static Map<String, Object> answer(int exitCode, Reading reading, Object... namesAndValues) {
    Map<String, Object> document = JsonText.document("exitCode", exitCode,
        "resourceManager", reading.address().toString(), "version", reading.version(),
        "time", reading.time());
    document.putAll(JsonText.document(namesAndValues));
    return document;
  }

  static List<Object> json(List<Row> rows) {
    return rows.stream().map(Row::json).collect(Collectors.toList());
  }
}
