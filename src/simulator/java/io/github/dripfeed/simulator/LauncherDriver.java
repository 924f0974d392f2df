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

/** Submits one application after the other and waits for each to end. */
final class LauncherDriver implements Driver {

  private final Program.Launcher program;
  private SimulatedMaster master;
  private int submitted;

  LauncherDriver(Program.Launcher program) {
    this.program = program;
  }

  @Override
  public void start(SimulatedMaster with) {
    master = with;
    next();
  }

  private void next() {
    if (submitted == program.jobs().size()) {
      master.finish();
    } else {
      master.simulation().submit(program.jobs().get(submitted++), () -> master.after(0, this::next));
    }
  }
}
