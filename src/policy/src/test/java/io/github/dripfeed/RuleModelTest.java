// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.QueueSettings;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Random lives of two queues. After every step the real policy offers what the model of the rule offers. A
 * failing run is shrunk to the shortest story that still fails, and told in words.
 */
class RuleModelTest {

  private static final int LIVES = 3_500;
  /** The same lives in every build. Another seed gives others. */
  private static final String SEED = "1";
  private static final int MOST_STEPS = 150;
  private static final Map<RuleModel.Situation, Integer> REACHED =
      new EnumMap<>(RuleModel.Situation.class);
  private static int steps;

  /** In milliseconds: from less than a trial to more than any wait. */
  private static final long[] TIMES = {
      100, 1_000, 5_000, 15_000, 30_000, 60_000, 90_000, 120_000, 180_000, 300_000};

  /** The possible events; most of them affect one application. */
  enum Event {
    SUBMIT(4) {
      @Override
      boolean happen(ModelledQueues queues, int app, int detail) {
        queues.submit(detail == 3 ? 1 : 0, detail % 3, detail == 4 ? "gpu" : "");
        return true;
      }
    },
    ASK(16) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.ask(app, true);
      }
    },
    WITHDRAW(1) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.ask(app, false);
      }
    },
    ALLOCATE_DRIVER_OFFERED(8) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.allocateDriver(queues.offeredBeside(app, detail));
      }
    },
    /** Ignores the offer, as a scheduling thread that has seen an earlier offer may do. */
    ALLOCATE_DRIVER(4) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.allocateDriver(app);
      }
    },
    ACQUIRE(2) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.acquireDriver(app);
      }
    },
    ALLOCATE_EXECUTOR(8) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.allocateExecutor(detail % 3 == 0 ? app : queues.startingBeside(app));
      }
    },
    RESERVE(8) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.reserve(detail < 8 ? queues.offeredBeside(app, detail) : app);
      }
    },
    CONVERT(3) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.convert(app);
      }
    },
    UNRESERVE(2) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.unreserve(app);
      }
    },
    RELEASE(4) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.release(app);
      }
    },
    FINISH(1) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.finish(app);
      }
    },
    FAIL(3) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.fail(app, detail % 2 == 0);
      }
    },
    REFRESH(3) {
      @Override
      boolean happen(ModelledQueues queues, int app, int detail) {
        int minExecutors = 1 + detail % 7 / 5;
        QueueSettings settings = new QueueSettings(1 + detail % 2,
            minutes(detail % 5 == 0 ? 0 : 1 + detail % 3 / 2),
            new AttemptSettings(minutes(detail % 3 == 0 ? 5 : 2), minExecutors))
            .withMaxContainers(detail < 6 ? 0 : detail - 5);
        return queues.refresh(app % 2, settings, minExecutors, detail % 5 > 0);
      }
    },
    MOVE(1) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.move(app);
      }
    },
    PRIORITY(2) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.setPriority(app, detail % 4);
      }
    },
    RECOVER(1) {
      @Override
      boolean happen(ModelledQueues queues, int app, int detail) {
        return queues.recover();
      }
    },
    REPORT(6) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return queues.report(app);
      }
    },
    BREAK(1) {
      @Override
      boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
        return detail == 0 && queues.breakFactsOf(app);
      }
    },
    PASS(10) {
      @Override
      boolean happen(ModelledQueues queues, int app, int detail) {
        return queues.advance(TIMES[detail]);
      }
    },
    LOOK(10) {
      @Override
      boolean happen(ModelledQueues queues, int app, int detail) {
        return queues.runMonitor();
      }
    };

    private final int frequency;

    Event(int frequency) {
      this.frequency = frequency;
    }

    /** @return whether the event was possible */
    boolean happen(ModelledQueues queues, int app, int detail) {
      return queues.size() > 0 && happenTo(queues.app(app), queues, detail);
    }

    boolean happenTo(RuleModel.App app, ModelledQueues queues, int detail) {
      throw new IllegalStateException(this + " happens to no application");
    }

    private static long minutes(int minutes) {
      return TimeUnit.MINUTES.toMillis(minutes);
    }
  }

  record Step(Event event, int app, int detail) {
  }

  @Property(seed = SEED, tries = LIVES)
  void policyOffersTheSameAsTheModel(@ForAll("lives") List<Step> life) {
    try (ModelledQueues queues = new ModelledQueues(RuleModelTest::count)) {
      for (Step step : life) {
        if (step.event().happen(queues, step.app(), step.detail())) {
          queues.check();
          steps++;
        }
      }
    }
  }

  private static void count(RuleModel.Situation situation) {
    REACHED.merge(situation, 1, Integer::sum);
  }

  /** A run must contain the events that the rule is about; most occur ten times as often. */
  @AfterContainer
  static void wereEnough() {
    assertThat(steps).as("steps that happened").isGreaterThanOrEqualTo(100_000);
    for (RuleModel.Situation situation : RuleModel.Situation.values()) {
      assertThat(REACHED.getOrDefault(situation, 0)).as(() -> situation + " of " + REACHED)
          .isGreaterThanOrEqualTo(situation == RuleModel.Situation.EVERYBODY_TRIED ? 3 : 10);
    }
  }

  @Provide
  Arbitrary<List<Step>> lives() {
    Arbitrary<Event> events = Arbitraries.of(Arrays.stream(Event.values())
        .flatMap(event -> Collections.nCopies(event.frequency, event).stream()).toList());
    return Combinators.combine(events, Arbitraries.integers().between(0, 5),
        Arbitraries.integers().between(0, 9)).as(Step::new).list().ofMaxSize(MOST_STEPS)
        .withSizeDistribution(RandomDistribution.uniform());
  }
}
