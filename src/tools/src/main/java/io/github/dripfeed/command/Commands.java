// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.check.CheckCommand;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Tool;
import io.github.dripfeed.tool.Version;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands, and how a call of one fails. */
@Command(name = "dripfeed-tools", synopsisSubcommandLabel = "<command>",
    description = "What goes on in a ResourceManager, and what its files would do.",
    footer = {
        "<command> --help explains a command and its exit codes. dripfeed-tools stands for",
        "  yarn jar dripfeed-tools-*.jar",
        "  hadoop jar dripfeed-tools-*.jar",
        "  HADOOP_HOME=<folder of Hadoop> java -jar dripfeed-tools-*.jar"})
public final class Commands {

  private final Terminal terminal;
  private final List<String> call;

  private Commands(List<String> call, Terminal terminal) {
    this.call = call;
    this.terminal = terminal;
  }

  /** Runs the command that the first argument names, and returns its exit code. */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    return run(args, Terminal.ofProcess(out, err));
  }

  /** The same on this terminal. */
  static int run(String[] args, Terminal terminal) {
    return new Commands(Arrays.asList(args), terminal).line().execute(args);
  }

  private CommandLine line() {
    boolean isOfProcesses = call.stream().anyMatch(each -> each.matches("(?s)--rm(=.*)?"));
    CommandLine line = new CommandLine(this);
    Stream.of(new DiagnoseCommand(), new StatusCommand(), new EventsCommand(), new ExplainCommand(),
        new ViewCommand(), new OffCommand(),
        isOfProcesses ? new CheckProcessesCommand() : new CheckCommand())
        .forEach(tool -> line.addSubcommand(tool.on(terminal)));
    if (isOfProcesses) {
      // Here the option itself says what is checked; yarn-site.xml may say where that is.
      CommandSpec check = line.getSubcommands().get("check").getCommandSpec();
      OptionSpec rm = check.findOption("--rm");
      check.remove(rm);
      check.addOption(rm.toBuilder().arity("0..1").fallbackValue(null).build());
    }
    line.addSubcommand(new AutoComplete.GenerateCompletion());
    Stream.concat(Stream.of(line), line.getSubcommands().values().stream()).map(CommandLine::getCommandSpec)
        .forEach(spec -> spec.mixinStandardHelpOptions(true)
            .versionProvider(() -> new String[] {Version.line()})
            .usageMessage().abbreviateSynopsis(true));
    return line.setExpandAtFiles(false).setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(new OutputStreamWriter(terminal.out, StandardCharsets.UTF_8), true))
        .setParameterExceptionHandler((e, args) ->
            fail(new Problem(Problem.WRONG_CALL, sentence(e), e), e.getCommandLine()))
        .setExecutionExceptionHandler((e, command, result) -> fail(e instanceof Problem ? (Problem) e
            : new Problem(Problem.WRONG_CALL, "The command failed: " + e, e), command));
  }

  /** What is not known is named with what is. */
  private static String sentence(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (!(e instanceof UnmatchedArgumentException)) {
      return e.getMessage();
    }
    return command.getParent() == null
        ? "No such command: '" + ((UnmatchedArgumentException) e).getUnmatched().get(0) + "'; there are "
            + String.join(", ", command.getSubcommands().keySet())
        : e.getMessage() + "; there are " + command.getCommandSpec().options().stream()
            .map(OptionSpec::longestName).sorted().collect(Collectors.joining(", "));
  }

  private int fail(Problem cause, CommandLine command) {
    // For Nagios, whose UNKNOWN that is.
    Problem problem = call.contains(StatusCommand.BRIEF)
        ? new Problem(Problem.UNREACHABLE, cause.getMessage(), cause) : cause;
    if (Tool.hasHadoop() && call.contains(Tool.JSON)) {
      terminal.out.println(
          JsonText.of(problem.document(), call.contains("--watch") || call.get(0).equals("view")));
      return problem.exitCode;
    }
    for (String each : problem.getMessage().split("\n")) {
      terminal.err.println(terminal.inErrors(Terminal.Colour.BAD, Text.safe(each)));
    }
    if (call.isEmpty()) {
      command.usage(terminal.err);
    } else if (cause.exitCode == Problem.WRONG_CALL) {
      terminal.err.println("More: " + command.getCommandSpec().qualifiedName() + " --help");
    }
    return problem.exitCode;
  }
}
