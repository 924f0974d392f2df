/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
