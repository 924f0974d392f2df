// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.observe.AttemptLabel;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.observe.StateEvent;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.version.Version;
import io.github.dripfeed.view.Table.Columns;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.yarn.QueueCompat;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live view of this process. It is registered once a queue has an application, for the life of the
 * process, and holds policies and schedulers weakly. A standby ResourceManager keeps it: its policies
 * exist, its queues are not shown, and its events are.
 */
public final class LiveView implements LiveViewMBean {

  private static final Logger LOG = LoggerFactory.getLogger(LiveView.class);

  private static final Columns EVENTS = new Columns(Attribute.EVENTS, Column.SEQUENCE, Column.TIME,
      Column.QUEUE, Column.APPLICATION, Column.ATTEMPT, Column.USER, Column.TYPE, Column.FROM, Column.TO,
      Column.CODE, Column.ARGUMENTS, Column.REASON, Column.MILLISECONDS);

  private static final LiveView INSTANCE = new LiveView();

  private final long loaded = System.currentTimeMillis();
  private final String version = Version.number();
  private boolean unavailable;
  private volatile boolean failed;

  private LiveView() {
  }

  /** The first policy of the process is about to be created. */
  public static void loaded() {
    LoggerFactory.getLogger(StateChangeRecorder.LOGGER).info("{} is loaded, in Hadoop {}",
        Version.line(), VersionInfo.getVersion());
  }

  /** Registers the live view if it is not registered yet. */
  public static synchronized void show() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName(Wire.MBEAN);
      if (!INSTANCE.unavailable && !server.isRegistered(name)) {
        server.registerMBean(INSTANCE, name);
      }
    } catch (JMException | RuntimeException | LinkageError e) {
      INSTANCE.unavailable = true;
      LOG.warn("The live view is not available", e);
    }
  }

  @Override
  public String getVersion() {
    return version;
  }

  @Override
  public String getHadoopVersion() {
    return VersionInfo.getVersion();
  }

  @Override
  public long getTime() {
    return DripfeedRuntime.current().clock().wallMillis();
  }

  @Override
  public long getStartTime() {
    return loaded;
  }

  @Override
  public String getClusterId() {
    return configured(YarnConfiguration.RM_CLUSTER_ID);
  }

  @Override
  public String getResourceManager() {
    return configured(YarnConfiguration.RM_HA_ID);
  }

  private static String configured(String property) {
    List<CapacityScheduler> running = DripfeedRuntime.current().runningSchedulers();
    return running.isEmpty() ? ""
        : running.get(0).getRMContext().getYarnConfiguration().get(property, "");
  }

  @Override
  public CompositeData[] getQueues() {
    return table(QueueReader.QUEUES, QueueReader::queue);
  }

  @Override
  public CompositeData[] getStarting() {
    return table(QueueReader.STARTING, QueueReader::starting);
  }

  @Override
  public CompositeData[] getLine() {
    return table(QueueReader.LINE, QueueReader::line);
  }

  @Override
  public CompositeData[] getPending() {
    return table(QueueReader.PENDING, QueueReader::pending);
  }

  @Override
  public CompositeData[] getEvents() {
    return table(DripfeedRuntime.current().events().events());
  }

  @Override
  public CompositeData[] getPromotions() {
    return table(DripfeedRuntime.current().events().promotions());
  }

  @Override
  public long getForgottenPromotions() {
    return DripfeedRuntime.current().events().forgottenPromotions();
  }

  @Override
  public CompositeData[] getEndedWhileStarting() {
    return table(DripfeedRuntime.current().events().endedWhileStarting());
  }

  @Override
  public long getForgottenEndedWhileStarting() {
    return DripfeedRuntime.current().events().forgottenEndedWhileStarting();
  }

  private static CompositeData[] table(List<StateEvent> events) {
    Table table = new Table(EVENTS);
    for (StateEvent event : events) {
      AttemptLabel attempt = event.attempt;
      table.add(event.sequence, event.time, attempt.queue(), attempt.application(), attempt.attempt(),
          attempt.user(), attempt.type(), event.from, event.to, event.code.name(), event.arguments(),
          event.reason(), event.millis);
    }
    return table.rows();
  }

  private CompositeData[] table(Columns columns, BiConsumer<QueueReader<?>, Table> rows) {
    Table table = new Table(columns);
    DripfeedRuntime runtime = DripfeedRuntime.current();
    for (CapacityScheduler scheduler : runtime.runningSchedulers()) {
      QueueCompat.visitLeaves(scheduler.getRootQueue(),
          queue -> read(queue, runtime, reader -> rows.accept(reader, table)));
    }
    return table.rows();
  }

  private void read(CSQueue queue, DripfeedRuntime runtime, Consumer<QueueReader<?>> reading) {
    StateAwareQueue<?> viewed = StateAwareQueue.of(queue);
    if (viewed != null) {
      try {
        reading.accept(new QueueReader<>(queue, viewed, runtime));
      } catch (RuntimeException | LinkageError e) {
        runtime.metrics().countFailure(queue);
        if (!failed) {
          failed = true;
          LOG.error("Queue {} cannot be shown in the live view. Logged once", queue.getQueuePath(), e);
        }
      }
    }
  }
}
