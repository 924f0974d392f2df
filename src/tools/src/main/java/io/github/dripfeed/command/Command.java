// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.terminal.Terminal;
import java.util.List;

/** A command of the jar that asks a ResourceManager. */
interface Command {

  /** The text of {@code --help}. */
  String usage();

  /**
   * Runs the command.
   *
   * @param call what follows its name
   * @return the exit code
   * @throws Problem if there is no answer
   */
  int run(List<String> call, Terminal terminal) throws Problem;
}
