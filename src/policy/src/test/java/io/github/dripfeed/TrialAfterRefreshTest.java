// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.QueueSettings;
import org.junit.jupiter.api.Test;

/** A refresh makes an application late that was not. */
class TrialAfterRefreshTest {

  /**
   * What was released while nobody was late is no room for the trial of an application whose starting time
   * is over only since a refresh.
   */
  @Test
  void releasesCountOnceSomebodyIsLate() {
    try (ModelledQueues queues = new ModelledQueues(situation -> { })) {
      queues.refresh(0, settings(300_000), 1, true);
      queues.submit(0, 0, "");
      queues.submit(0, 0, "");
      RuleModel.App first = queues.app(0);
      RuleModel.App second = queues.app(1);
      queues.ask(first, true);
      queues.allocateDriver(first);
      queues.check();
      queues.advance(120_000);
      queues.fail(first, false);
      queues.ask(second, true);
      // The second one is tried in vain until it stalls, and starts on a trial.
      for (int i = 0; i < 2; i++) {
        queues.check();
        queues.advance(60_000);
      }
      queues.check();
      queues.allocateDriver(second);
      queues.allocateExecutor(second);
      queues.check();
      queues.release(second);
      queues.check();
      queues.refresh(0, settings(120_000), 1, true);
      queues.check();
      queues.ask(first, true);
      queues.advance(5_000);
      queues.check();
      queues.allocateExecutor(second);
      queues.check();
      queues.release(second);
      queues.check();
    }
  }

  private static QueueSettings settings(long startingTimeout) {
    return new QueueSettings(1, 60_000, new AttemptSettings(startingTimeout, 1));
  }
}
