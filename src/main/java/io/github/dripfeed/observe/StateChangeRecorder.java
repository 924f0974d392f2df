/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AdmissionListener;
import io.github.dripfeed.core.admission.Transition;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the changes that the ordering makes to the ResourceManager's log, and counts them: one line per
 * change, none per heartbeat.
 */
public final class StateChangeRecorder<S extends SchedulableEntity> implements AdmissionListener<S> {

  private static final Logger LOG = LoggerFactory.getLogger("io.github.dripfeed.StateLog");

  private final MetricsRegistrar metrics;
  private volatile boolean failed;

  public StateChangeRecorder(MetricsRegistrar metrics) {
    this.metrics = metrics;
  }

  @Override
  public void stateChanged(S entity, Transition transition, long millis) {
    LOG.info("{} in queue {}: {} -> {} after {} ms, because {}", entity.getId(), queueOf(entity),
        transition.from(), transition.to(), millis, transition.reason());
    metricsOf(entity).stateChanged(transition, millis);
  }

  @Override
  public void discovered(S entity, Transition transition) {
    LOG.info("{} in queue {} was {} before this policy looked at it: {}", entity.getId(),
        queueOf(entity), transition.to(), transition.reason());
  }

  @Override
  public void offered(S entity, String partition) {
    if (LOG.isDebugEnabled()) {
      LOG.debug("Offered in partition '{}': {}", partition, entity == null
          ? "none; no starting slot is free, or no application has a pending request" : entity.getId());
    }
  }

  @Override
  public void startedBeyondSlots(S entity) {
    metricsOf(entity).startedBeyondSlots();
  }

  @Override
  public void stalled(S entity, long millis) {
    LOG.info("{} in queue {} has stalled after {} ms as the head: its driver could not be placed, or a"
        + " later application got its driver first. It no longer holds back the applications behind it",
        entity.getId(), queueOf(entity), millis);
    metricsOf(entity).stalled();
  }

  @Override
  public void failed(S entity, Throwable failure) {
    metrics.countFailure();
    if (entity != null) {
      LOG.error("The state of {} in queue {} cannot be determined; it counts as running",
          entity.getId(), queueOf(entity), failure);
      metricsOf(entity).failed();
    } else if (!failed) {
      failed = true;
      LOG.error("An offer could not be decided; scheduling continues with the next application in"
          + " line. Logged once", failure);
    }
  }

  private StateAwareQueueMetrics metricsOf(SchedulableEntity entity) {
    return metrics.of((SchedulerApplicationAttempt) entity);
  }

  private static String queueOf(SchedulableEntity entity) {
    try {
      return ((SchedulerApplicationAttempt) entity).getQueueName();
    } catch (RuntimeException e) {
      return "unknown";
    }
  }
}
