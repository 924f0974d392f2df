// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A command, with what all have in common. Help and version are answered before it is called. */
public abstract class Tool implements Callable<Integer> {

  public static final String JSON = "--json";
  /** It is there where Hadoop is. */
  public static final String HADOOP = "org/apache/hadoop/yarn/conf/YarnConfiguration.class";

  protected Terminal terminal;
  @Option(names = JSON, description = "machine-readable output, also of an error")
  protected boolean json;

  /** The same, which writes there. */
  public final Tool on(Terminal given) {
    terminal = given;
    return this;
  }

  /** Whether Hadoop's jars are there. Without them, there is nothing that writes JSON either. */
  public static boolean hasHadoop() {
    return Tool.class.getClassLoader().getResource(HADOOP) != null;
  }

  @Override
  public final Integer call() throws Problem {
    if (!hasHadoop()) {
      throw new Problem(Problem.WRONG_CALL, "Hadoop's jars are needed, and HADOOP_HOME does not lead to"
          + " them. Either\n  yarn jar dripfeed-tools-*.jar ...\n"
          + "  HADOOP_HOME=<folder of Hadoop> java -jar dripfeed-tools-*.jar ...");
    }
    return run();
  }

  /** @return the exit code */
  protected abstract int run() throws Problem;

  /** Prints this document, indented or on one line; without {@code --json}, these lines. */
  protected final void print(Object document, boolean oneLine, List<String> lines) {
    terminal.out.print((json ? Collections.singletonList(JsonText.of(document, oneLine)) : lines).stream()
        .map(line -> line + System.lineSeparator()).collect(Collectors.joining()));
  }
}
