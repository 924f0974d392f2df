// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.check.CheckCommand;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Tool;
import io.github.dripfeed.version.Version;
import java.io.PrintStream;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands, and what a call of one has in common with each other: help, version, and how it fails. */
@Command(name = "dripfeed-tools", customSynopsis = "yarn jar dripfeed-tools.jar <command>",
    description = {
        "What goes on in a ResourceManager:",
        "  diagnose   whether drivers without executors hold up queues; also without Dripfeed",
        "  status     the line of each queue: who is starting, who waits, and for what",
        "  events     what happened: who started, ran or ended, when and why",
        "  explain <application>",
        "             where an application stands, why, and what would let it go",
        "  view       the same as a page for a browser on this host",
        "  off        how to take the policy from a queue, and what would start at once",
        "Without a ResourceManager:",
        "  check [options] <capacity-scheduler.xml> [<yarn-site.xml>]",
        "             checks a configuration before a ResourceManager reads it",
        "  check --rm whether each ResourceManager of a pair was started with the jar",
        "Each of them:",
        "  <command> --help",
        "             explains a command and its exit codes",
        "  --help     this text",
        "  --version  the version of the jar",
        "Also: hadoop jar ..., or HADOOP_HOME=<folder of Hadoop> java -jar ..."})
public final class Commands {

  private static final String COMPLETION = "generate-completion";
  private static final List<String> WITHOUT_COMMAND = Arrays.asList("--help", "-h", "--version", Tool.JSON);
  private static final int COLUMN = 19;
  private static final int USAGE_WIDTH = 200;

  private final Terminal terminal;
  private final CommandLine line = new CommandLine(this);
  private final List<String> call;
  private final boolean json;
  private final boolean oneLine;
  private final String name;
  private final boolean isCheck;
  /** Without it, there is nothing that writes JSON either. */
  private final boolean hasHadoop = Commands.class.getClassLoader().getResource(Main.HADOOP) != null;

  private Commands(List<String> call, Terminal terminal) {
    this.call = call;
    this.terminal = terminal;
    json = hasHadoop && call.contains(Tool.JSON);
    name = call.isEmpty() ? "" : call.get(0);
    isCheck = name.equals("check");
    oneLine = call.contains("--watch") || name.equals("view");
    boolean isOfProcesses = call.stream().map(Commands::nameOf).anyMatch("--rm"::equals);
    Stream.of(isOfProcesses ? new CheckProcessesCommand(terminal) : new CheckCommand(terminal),
        new DiagnoseCommand(terminal), new StatusCommand(terminal), new EventsCommand(terminal),
        new ExplainCommand(terminal), new ViewCommand(terminal), new OffCommand(terminal),
        new AutoComplete.GenerateCompletion()).forEach(line::addSubcommand);
    line.setExpandAtFiles(false);
    line.setPosixClusteredShortOptionsAllowed(false);
    // Else not even an attached value may look like one.
    line.setAllowOptionsAsOptionParameters(true);
    line.setUsageHelpWidth(USAGE_WIDTH);
    line.setParameterExceptionHandler((e, args) -> fail(wrong(e), true));
    line.setExecutionExceptionHandler((e, command, result) -> e instanceof Problem
        ? fail((Problem) e, !isCheck)
        : fail(new Problem(Problem.WRONG_CALL, "The command failed: " + e, e), false));
  }

  /** Runs the command that the first argument names, and returns its exit code. */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    return run(args, Terminal.ofProcess(out, err));
  }

  /** The same on this terminal. */
  static int run(String[] args, Terminal terminal) {
    return new Commands(Arrays.asList(args), terminal).run();
  }

  private int run() {
    boolean help = call.contains("--help") || call.contains("-h");
    boolean isAsked = help || call.contains("--version");
    boolean withoutCommand = WITHOUT_COMMAND.containsAll(call);
    CommandLine command = withoutCommand ? line : line.getSubcommands().get(name);
    if (call.isEmpty()) {
      terminal.err().println(usage(line));
      return Problem.WRONG_CALL;
    } else if (command == null || withoutCommand && !isAsked) {
      return fail(new Problem(Problem.WRONG_CALL, "No such command: '" + name + "'; there are "
          + String.join(", ", line.getSubcommands().keySet()).replace(", " + COMPLETION, "")
          + ", --help and --version"), false);
    } else if (!hasHadoop && !isAsked && !name.equals(COMPLETION)) {
      String jar = Paths.get(Commands.class.getProtectionDomain().getCodeSource().getLocation().getPath())
          .getFileName() + " " + name + " ...";
      return fail(new Problem(Problem.WRONG_CALL, "Hadoop's jars are needed, and HADOOP_HOME does not lead"
          + " to them. Either\n  yarn jar " + jar + "\n  HADOOP_HOME=<folder of Hadoop> java -jar " + jar),
          false);
    } else if (isAsked) {
      String text = help ? usage(command) : Version.line();
      terminal.out().println(!json ? text
          : JsonText.of(JsonText.document("exitCode", 0, help ? "usage" : "version", text), oneLine));
      return 0;
    }
    Map<String, OptionSpec> known = command.getCommandSpec().optionsMap();
    String[] args = call.toArray(new String[0]);
    for (int i = 1; i < call.size(); i++) {
      String each = call.get(i);
      String next = i + 1 < call.size() ? call.get(i + 1) : "";
      OptionSpec option = known.get(each);
      if (option != null && option.arity().min() == 0 && known.containsKey(nameOf(next))
          && !option.fallbackValue().isEmpty()) {
        // Else the next option would be its value.
        args[i] = each + "=" + option.fallbackValue();
      } else if (option != null && option.arity().min() > 0 && known.containsKey(nameOf(next))) {
        return fail(new Problem(Problem.WRONG_CALL, each + ": a value has to follow, and not the option "
            + next + "; for that text, " + each + "=" + next), true);
      } else if (option == null && known.containsKey(nameOf(each))
          && known.get(nameOf(each)).arity().max() == 0) {
        return fail(new Problem(Problem.WRONG_CALL, nameOf(each) + ": it has no value"), true);
      }
    }
    return line.execute(args);
  }

  /** Of {@code --name=value}. */
  private static String nameOf(String option) {
    return option.replaceFirst("(?s)=.*", "");
  }

  /** @param isHinted whether the call itself is wrong, so that help for it is of use */
  private int fail(Problem cause, boolean isHinted) {
    // For Nagios, whose UNKNOWN that is.
    Problem problem = call.contains(StatusCommand.BRIEF)
        ? new Problem(Problem.UNREACHABLE, cause.getMessage(), cause) : cause;
    if (json) {
      terminal.out().println(JsonText.of(problem.document(), oneLine));
      return problem.exitCode();
    }
    for (String each : problem.getMessage().split("\n")) {
      terminal.err().println(terminal.inErrors(Terminal.Colour.BAD, Text.safe(each)));
    }
    if (isHinted && cause.exitCode() == Problem.WRONG_CALL) {
      terminal.err().println(
          isCheck ? usage(line.getSubcommands().get(name)) : "More: " + name + " --help");
    }
    return problem.exitCode();
  }

  private Problem wrong(ParameterException e) {
    String message = e.getMessage();
    if (e instanceof OverwrittenOptionException) {
      OptionSpec option = (OptionSpec) ((OverwrittenOptionException) e).getOverwritten();
      message = option.longestName() + ": given twice";
    } else if (e instanceof MissingParameterException) {
      OptionSpec option = (OptionSpec) ((MissingParameterException) e).getMissing().get(0);
      message = option.longestName() + ": a value has to follow";
    } else if (e instanceof UnmatchedArgumentException) {
      String first = ((UnmatchedArgumentException) e).getUnmatched().get(0);
      message = !first.startsWith("-") ? "Only options are expected, not '" + first + "'"
          : "No such option: '" + first + "'; there are " + names(e.getCommandLine());
    }
    return new Problem(Problem.WRONG_CALL, message, e);
  }

  private String names(CommandLine command) {
    Stream<String> names = inOrder(command).map(OptionSpec::longestName);
    return isCheck ? names.collect(Collectors.joining(", ")).replace(", --version", " and --version")
        : names.filter(each -> each.equals(Tool.JSON) || !WITHOUT_COMMAND.contains(each)).sorted()
            .collect(Collectors.joining(", "));
  }

  private static Stream<OptionSpec> inOrder(CommandLine command) {
    return command.getCommandSpec().options().stream().sorted(Comparator.comparingInt(OptionSpec::order));
  }

  /** The options stand in a column with what they mean. One without a meaning shares the next one's. */
  private static String usage(CommandLine command) {
    CommandLine.Help help = command.getHelp();
    StringBuilder text = new StringBuilder(help.synopsisHeading() + help.synopsis(0) + help.description());
    String names = "";
    for (OptionSpec option : inOrder(command).collect(Collectors.toList())) {
      names += (names.isEmpty() ? "  " : ", ") + option.longestName()
          + (option.arity().max() == 0 ? "" : " " + option.paramLabel());
      for (String each : option.description()) {
        text.append(names.length() < COLUMN ? Text.pad(names, COLUMN, false)
            : names + "\n" + Text.pad("", COLUMN, false)).append(each).append('\n');
        names = "";
      }
    }
    return (text + names + (names.isEmpty() ? "" : "\n") + help.footer()).trim();
  }
}
