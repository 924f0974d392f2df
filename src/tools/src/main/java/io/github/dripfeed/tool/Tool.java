// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A command, with the options that all have. Help and version are answered before it is called. */
public abstract class Tool implements Callable<Integer> {

  public static final String JSON = "--json";
  /** Options that several commands have stand behind their own. */
  protected static final int SHARED = 10;

  protected final Terminal terminal;
  @Option(names = JSON, order = 1, description = "machine-readable output, whatever the outcome")
  private boolean json;
  @Option(names = {"-h", "--help"}, usageHelp = true, order = SHARED + 2)
  private boolean help;
  @Option(names = "--version", versionHelp = true, order = SHARED + 2)
  private boolean version;

  protected Tool(Terminal terminal) {
    this.terminal = terminal;
  }

  protected final boolean isJson() {
    return json;
  }

  /** Prints a document, indented or on one line. */
  protected final void print(Object document, boolean oneLine) {
    terminal.out().println(JsonText.of(document, oneLine));
  }
}
