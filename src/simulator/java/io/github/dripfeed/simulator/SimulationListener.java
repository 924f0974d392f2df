/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

/** Is told how far a simulation is. */
interface SimulationListener {

  /**
   * Called for every second of virtual time, by the thread that simulates.
   *
   * @param virtualMillis the time in the simulation
   * @param ended how many applications have ended
   */
  void reached(long virtualMillis, int ended);
}
