// SPDX-License-Identifier: Apache-2.0
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
