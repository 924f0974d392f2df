// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.terminal.Problem;

/** Where readings come from. One thread at a time asks. */
public interface Source {

  /** @throws Problem if there is none now */
  Reading read() throws Problem;
}
