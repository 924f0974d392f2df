/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
