// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.demo;

import java.nio.file.Path;

/** A scenario of the demo. */
interface Scenario {

  /**
   * Runs the scenario and shows its progress on the screen.
   *
   * @param folder the folder for all files that it writes
   */
  Findings run(Path folder, Screen screen) throws Exception;
}
