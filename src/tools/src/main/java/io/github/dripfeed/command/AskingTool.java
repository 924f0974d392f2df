// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Tool;
import io.github.dripfeed.tool.Version;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Option;

/** A command that asks a ResourceManager. It names, and converts, no class that only Hadoop has. */
abstract class AskingTool extends Tool {

  /** The meaning of the exit codes that every command has. */
  static final String EXIT_CODES = "2 wrong call, 3 no active ResourceManager can be reached, 4 not logged"
      + " in or not allowed, 5 what answers is no ResourceManager with Dripfeed";
  private static final String TIMEOUT = "--timeout";
  static final int MOST_SECONDS = 3600;

  @Option(names = "--rm", paramLabel = "URL[,URL]", description = "the ResourceManager, such as"
      + " http://host:8088, or both of a pair; unless given, yarn-site.xml on the class path says it")
  private String addresses;
  @Option(names = TIMEOUT, paramLabel = "S", description = "give up after this many seconds without an"
      + " answer (20), and after three times as long if the answer does not end")
  private String timeout = "20";
  ResourceManagers resourceManagers;
  /** The version that the ResourceManager is not said to differ from any more. */
  private String told = Version.number();

  @Override
  protected final int run() throws Problem {
    Configuration yarnSite = new Configuration(false);
    yarnSite.addResource("core-site.xml");
    yarnSite.addResource("yarn-site.xml");
    resourceManagers = new ResourceManagers(addresses, yarnSite,
        number(TIMEOUT, timeout, 1, MOST_SECONDS),
        notice -> terminal.err.println(Text.safe(notice)), terminal::progress);
    return ask();
  }

  /** @return the exit code */
  abstract int ask() throws Problem;

  /** Reads Dripfeed's tables, and says if that is another Dripfeed than this one. */
  final Reading read() throws Problem {
    Reading reading = resourceManagers.read();
    if (!told.isEmpty() && !reading.version.isEmpty() && !told.equals(reading.version)) {
      terminal.err.println(Text.safe("These commands are of Dripfeed " + told + ", and "
          + reading.address + " has Dripfeed " + reading.version));
      told = reading.version;
    }
    return reading;
  }

  /** An answer's document: who has told it, and when; and then these names, each with its value. */
  static Map<String, Object> answer(int exitCode, Reading reading, Object... namesAndValues) {
    Map<String, Object> document = JsonText.document("exitCode", exitCode,
        "resourceManager", reading.address.toString(), "version", reading.version,
        "time", reading.time);
    document.putAll(JsonText.document(namesAndValues));
    return document;
  }

  static int number(String option, String value, int least, int most) throws Problem {
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
      throw Problem.wrong(option, value, "is a number from " + least + " to " + most);
    }
    return Integer.parseInt(value);
  }

  /** The id of an application, also if the text is that of one of its attempts. */
  static String application(String text) throws Problem {
    String id = text.replaceFirst("^appattempt_(\\d{1,19}_\\d{4,19})_\\d{6,10}$", "application_$1");
    if (!id.matches("application_\\d{1,19}_\\d{4,19}")) {
      throw new Problem(Problem.WRONG_CALL, "'" + text + "' is no id of an application:"
          + " application_<number>_<number>, such as application_1763887000000_0012");
    }
    return id;
  }
}
