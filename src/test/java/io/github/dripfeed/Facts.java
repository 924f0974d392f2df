/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import static io.github.dripfeed.MockCluster.DRIP;
import static io.github.dripfeed.MockCluster.GB;
import static io.github.dripfeed.MockCluster.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Facts about YARN (contract, section 3) as scenarios on the real Capacity Scheduler, for any policy:
 * they look only at what is offered and what is allocated.
 */
enum Facts {

  /** Fact 1: a callback comes for a reservation, and none when it becomes a container. */
  RESERVED_EXECUTOR_COUNTS_ONLY_ONCE_IT_IS_LIVE {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(4 * GB + GB / 2);
        MockApp filler = cluster.fill(2);
        MockApp app1 = cluster.submit();
        cluster.heartbeat();
        addHeadroom(cluster, 3 * GB / 2);
        app1.register().ask(1, 2 * GB);
        cluster.submit();
        cluster.heartbeat();
        assertThat(app1.reservations()).isEqualTo(1);
        assertThat(cluster.offered()).as("reserved is not live").containsExactly("App2");

        filler.release(filler.executors());
        cluster.heartbeat();
        assertThat(app1.reservations()).isZero();
        assertThat(app1.containers()).isEqualTo(2);
        assertThat(cluster.offered()).as("live").containsExactly("App2", "App3");
      }
    }
  },

  /** Fact 1: a driver that is reserved will be allocated without asking, so it keeps the offer. */
  RESERVED_DRIVER_KEEPS_THE_OFFER {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(4 * GB);
        MockApp filler = cluster.fill(2);
        addHeadroom(cluster, GB);
        MockApp app2 = cluster.submit(2 * GB, 0);
        cluster.heartbeat();
        assertThat(app2.reservations()).isEqualTo(1);
        MockApp urgent = cluster.submit(GB, 5);
        assertThat(cluster.policy().getNumSchedulableEntities()).isEqualTo(2);
        assertThat(cluster.offered()).as("reserved").containsExactly("App2");
        cluster.refresh();
        assertThat(cluster.offered()).as("reserved, after a refresh").containsExactly("App2");

        filler.release(filler.executors());
        cluster.heartbeat();
        assertThat(app2.containers()).isEqualTo(1);
        cluster.heartbeat();
        assertThat(urgent.containers()).as("only one is starting").isZero();
        assertThat(cluster.offered()).as("its driver is live").containsExactly("App2");
      }
    }
  },

  /** Fact 3: a refresh brings a new policy, which has to know who once ran. */
  REFRESH_FORGETS_NOBODY_WHO_RAN {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(16 * GB);
        MockApp app1 = cluster.submit();
        cluster.submit();
        cluster.heartbeat();
        app1.register().ask(1, GB);
        cluster.heartbeat();
        app1.heartbeat();
        app1.release(app1.executors());
        assertThat(app1.containers()).isEqualTo(1);
        Object before = cluster.policy();
        cluster.refresh();
        assertThat(cluster.policy()).isNotSameAs(before);
        assertThat(cluster.offered()).containsExactly("App1", "App2");
      }
    }
  },

  /** Fact 4: nothing tells a policy that it was replaced; it must go all the same. */
  REPLACED_POLICIES_LEAVE_NO_THREAD_AND_NO_TRACE {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.withMonitorThread(policy)) {
        cluster.addNode(16 * GB);
        cluster.submit();
        cluster.heartbeat();
        int threads = threadsOfPolicies();
        List<WeakReference<Object>> replaced = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          replaced.add(new WeakReference<>(cluster.policy()));
          cluster.refresh();
        }
        assertThat(threadsOfPolicies()).isEqualTo(threads);
        Eventually.is("every replaced policy is collected", () -> {
          System.gc();
          return replaced.stream().allMatch(policyOfOld -> policyOfOld.get() == null);
        });
      }
    }

    private int threadsOfPolicies() {
      return (int) Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
          .filter(name -> name.startsWith("dripfeed") || name.startsWith("counting")).count();
    }
  },

  /** Fact 5: a priority change takes the application out and puts it in again. */
  PRIORITY_CHANGE_KEEPS_THE_STATE {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(16 * GB);
        MockApp app1 = cluster.submit();
        MockApp app2 = cluster.submit();
        cluster.heartbeat();
        app1.setPriority(1);
        cluster.heartbeat();
        assertThat(app2.containers()).as("App1 is starting").isZero();
        app1.register().ask(1, GB);
        cluster.heartbeat();
        app1.setPriority(2);
        assertThat(cluster.offered()).as("App1 is running").containsExactly("App1", "App2");
      }
    }
  },

  /** Fact 5: an application moves with its containers, for which no callback comes. */
  MOVED_APPLICATION_KEEPS_THE_STATE {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(16 * GB);
        MockApp running = cluster.submit(cluster.submission(GB).withQueue(OTHER));
        cluster.heartbeat();
        running.register().ask(1, GB);
        cluster.heartbeat();
        MockApp starting = cluster.submit(cluster.submission(GB).withQueue(OTHER));
        cluster.heartbeat();
        cluster.submit();
        running.moveTo(DRIP);
        assertThat(cluster.offered()).containsExactly("App1", "App3");
        starting.moveTo(DRIP);
        assertThat(cluster.offered()).as("App2 is starting").containsExactly("App1", "App2");
      }
    }
  },

  /** Fact 6: a new attempt that keeps executors holds resources already, so it is not held back. */
  KEPT_EXECUTORS_ARE_NOT_HELD_BACK {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(16 * GB);
        MockApp app1 = cluster.submit(cluster.submission(GB).keepingContainers());
        cluster.heartbeat();
        app1.register().ask(1, GB);
        cluster.heartbeat();
        app1.heartbeat();
        app1.launchExecutors();
        cluster.submit();
        cluster.heartbeat();
        app1.failDriver();
        assertThat(app1.containers()).as("kept").isEqualTo(1);
        assertThat(cluster.offered()).as("while App2 is starting").containsExactly("App1", "App2");
        cluster.heartbeat();
        assertThat(app1.containers()).isEqualTo(2);
      }
    }
  },

  /** Fact 8: the request for the driver comes after the attempt, and may be withdrawn. */
  ATTEMPT_THAT_ASKS_FOR_NOTHING_HOLDS_NO_OFFER {
    @Override
    void check(Class<?> policy) throws Exception {
      try (MockCluster cluster = MockCluster.of(policy)) {
        cluster.addNode(16 * GB);
        MockApp app1 = cluster.submit();
        cluster.submit();
        askForDriver(cluster, app1.attempt(), 0);
        assertThat(cluster.offered()).containsExactly("App2");
        askForDriver(cluster, app1.attempt(), 1);
        assertThat(cluster.offered()).containsExactly("App1");
      }
    }

    private void askForDriver(MockCluster cluster, FiCaSchedulerApp attempt, int drivers) {
      cluster.scheduler().allocate(attempt.getApplicationAttemptId(),
          Collections.singletonList(ResourceRequest.newInstance(Priority.newInstance(0),
              ResourceRequest.ANY, Resource.newInstance(GB, 1), drivers)),
          null, Collections.emptyList(), null, null,
          new ContainerUpdates());
    }
  };

  abstract void check(Class<?> policy) throws Exception;

  /** A node too small for what is asked for: the cluster has the room, so a full node is reserved. */
  private static void addHeadroom(MockCluster cluster, int memory) throws Exception {
    cluster.addNode(memory);
  }
}
