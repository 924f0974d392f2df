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

import java.util.List;

/** A claim of the demo, and whether it was observed. */
record Expectation(String text, boolean observed) {

  static List<Expectation> of(Outcome stock, Outcome dripfed) {
    return List.of(
        new Expectation("stock fifo: deadlock, every live container a driver",
            stock.deadlocked() && stock.executors() == 0 && stock.mostDriversAtOnce() > 1),
        new Expectation("stock fifo: no application succeeded", stock.succeeded() == 0),
        new Expectation("Dripfeed: every application succeeded", dripfed.allSucceeded()),
        new Expectation("Dripfeed: never more than one application was starting",
            dripfed.applications() > 0 && dripfed.mostStarting() == 1));
  }

  @Override
  public String toString() {
    return (observed ? "observed      " : "NOT OBSERVED  ") + text;
  }
}
