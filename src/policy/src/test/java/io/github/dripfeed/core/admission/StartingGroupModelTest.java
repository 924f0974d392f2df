// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Random lives of four queues whose groups change: after every step each queue offers what a model offers
 * that counts starting applications anew from the facts.
 */
class StartingGroupModelTest {

  /** The same lives in every build. Another seed gives others. */
  private static final String SEED = "1";
  private static final String[] GROUPS = {"", "etl", "etl", "bi"};
  private static int steps;

  /** The possible events. */
  enum Event {
    SUBMIT(8) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.submit(app % GroupedQueues.QUEUES, detail == 0 ? "gpu" : "");
      }
    },
    DRIVER_OF_AN_OFFERED(10) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.allocateDriver(app, true);
      }
    },
    /** As a thread that has seen an earlier offer may do. */
    DRIVER_OF_ANY(3) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.allocateDriver(app, false);
      }
    },
    REQUEST_EXECUTORS(4) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.requestExecutors(app);
      }
    },
    EXECUTOR(8) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.allocateExecutor(app);
      }
    },
    RESERVE(4) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.reserveDriver(app);
      }
    },
    END_RESERVATION(3) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.endReservation(app, detail % 2 == 0);
      }
    },
    FINISH(4) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.finish(app);
      }
    },
    MOVE(4) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.move(app, detail % GroupedQueues.QUEUES, detail % 3 > 0);
      }
    },
    REFRESH(6) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.refresh(app % GroupedQueues.QUEUES, GROUPS[detail % GROUPS.length], 1 + detail % 3 / 2);
      }
    },
    STOCK(1) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.leaveForStock(app % GroupedQueues.QUEUES);
      }
    },
    RECREATE(1) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.recreate(app % GroupedQueues.QUEUES);
      }
    },
    WALK_REPLACED(3) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.walkReplaced(app);
      }
    },
    PASS(2) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.pass(detail * 7_000L);
      }
    },
    ROUND(8) {
      @Override
      void happen(GroupedQueues queues, int app, int detail) {
        queues.round();
      }
    };

    private final int frequency;

    Event(int frequency) {
      this.frequency = frequency;
    }

    abstract void happen(GroupedQueues queues, int app, int detail);
  }

  record Step(Event event, int app, int detail) {
  }

  @Property(seed = SEED, tries = 2_000)
  void everyQueueOffersTheSameAsTheModel(@ForAll("lives") List<Step> life) {
    GroupedQueues queues = new GroupedQueues();
    for (Step step : life) {
      step.event().happen(queues, step.app(), step.detail());
      queues.check();
      steps++;
    }
    queues.endAll();
  }

  @AfterContainer
  static void wereEnough() {
    assertThat(steps).isGreaterThan(50_000);
  }

  @Provide
  Arbitrary<List<Step>> lives() {
    Arbitrary<Event> events = Arbitraries.of(Arrays.stream(Event.values())
        .flatMap(event -> Collections.nCopies(event.frequency, event).stream()).toList());
    return Combinators.combine(events, Arbitraries.integers().between(0, 11),
        Arbitraries.integers().between(0, 11)).as(Step::new).list().ofMaxSize(120)
        .withSizeDistribution(RandomDistribution.uniform());
  }
}
