// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.check.CheckCommand;
import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.terminal.JsonText;
import io.github.dripfeed.terminal.Terminal;
import io.github.dripfeed.terminal.Text;
import io.github.dripfeed.version.Version;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All commands, by name. */
public final class Commands {

  private static final String VIEW = "view";
  private static final Map<String, Command> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("status", new StatusCommand());
    COMMANDS.put("events", new EventsCommand());
    COMMANDS.put("explain", new ExplainCommand());
    COMMANDS.put(VIEW, new ViewCommand());
  }

  private Commands() {
  }

  /** Runs the command that the first argument names, and returns its exit code. */
  public static int run(String[] args, PrintStream out, PrintStream err) {
    return args.length > 0 && args[0].equals("check") ? CheckCommand.run(args, out, err)
        : run(args, Terminal.ofProcess(out, err));
  }

  /** The same, for all but {@code check}, on this terminal. */
  static int run(String[] args, Terminal terminal) {
    List<String> call = Arrays.asList(args);
    String name = call.isEmpty() ? "" : call.get(0);
    Command command = COMMANDS.get(name);
    boolean json = call.contains(Call.JSON);
    boolean oneLine = call.contains(StatusCommand.WATCH) || name.equals(VIEW);
    if (command == null) {
      return fail(new Problem(Problem.WRONG_CALL, "No such command: '" + name + "'; there are check, "
          + String.join(", ", COMMANDS.keySet()) + ", --help and --version"), json, false, terminal);
    }
    if (call.contains("--help") || call.contains("-h")) {
      return say("usage", command.usage(), json, oneLine, terminal);
    } else if (call.contains("--version")) {
      return say("version", Version.line(), json, oneLine, terminal);
    }
    try {
      return command.run(call.subList(1, call.size()), terminal);
    } catch (Problem e) {
      int exitCode = fail(e, json, oneLine, terminal);
      if (exitCode == Problem.WRONG_CALL && !json) {
        terminal.err().println("More: " + name + " --help");
      }
      return exitCode;
    } catch (RuntimeException | LinkageError e) {
      return fail(new Problem(Problem.WRONG_CALL, "The command failed: " + e, e), json, oneLine,
          terminal);
    }
  }

  private static int fail(Problem problem, boolean json, boolean oneLine, Terminal terminal) {
    if (json) {
      print(Call.errors(problem), oneLine, terminal);
    } else {
      for (String line : problem.getMessage().split("\n")) {
        terminal.err().println(terminal.inErrors(Terminal.Colour.BAD, Text.safe(line)));
      }
    }
    return problem.exitCode();
  }

  private static int say(String name, String text, boolean json, boolean oneLine, Terminal terminal) {
    if (json) {
      print(Call.outcome(0, name, text), oneLine, terminal);
    } else {
      terminal.out().println(text);
    }
    return 0;
  }

  private static void print(Map<String, Object> document, boolean oneLine, Terminal terminal) {
    terminal.out().println(oneLine ? JsonText.oneLine(document) : JsonText.indented(document));
  }
}
