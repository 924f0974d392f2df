// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import io.github.dripfeed.observe.EventLog;
import io.github.dripfeed.observe.EventRing;
import io.github.dripfeed.observe.StateAwareQueue;
import io.github.dripfeed.observe.StateChangeRecorder;
import io.github.dripfeed.observe.StateEvent;
import io.github.dripfeed.runtime.DripfeedRuntime;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.yarn.QueueCompat;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
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
 *
 * <p>Each table is an array of flat rows. Times are in milliseconds since 1970; an unknown number is -1, an
 * unknown text is empty. All types are open, so any JMX client can read it.
 */
public final class LiveView implements DynamicMBean {

  private static final Logger LOG = LoggerFactory.getLogger(LiveView.class);

  /** That in the manifest of the jar; empty without one. */
  private static final String VERSION =
      Objects.toString(LiveView.class.getPackage().getImplementationVersion(), "");

  private static final LiveView INSTANCE = new LiveView();

  private final Map<String, Supplier<Object>> attributes = new HashMap<>();
  private boolean unavailable;

  private LiveView() {
    long loaded = System.currentTimeMillis();
    put(Attribute.VERSION, () -> VERSION);
    put(Attribute.HADOOP_VERSION, VersionInfo::getVersion);
    put(Attribute.TIME, () -> DripfeedRuntime.current().clock().wallMillis());
    put(Attribute.START_TIME, () -> loaded);
    put(Attribute.CLUSTER_ID, () -> configured(YarnConfiguration.RM_CLUSTER_ID));
    put(Attribute.RESOURCE_MANAGER, () -> configured(YarnConfiguration.RM_HA_ID));
    queues(Attribute.QUEUES, QueueReader::queue);
    queues(Attribute.STARTING, QueueReader::starting);
    queues(Attribute.LINE, QueueReader::line);
    queues(Attribute.PENDING, QueueReader::pending);
    events(Attribute.EVENTS, log -> log.all);
    events(Attribute.PROMOTIONS, log -> log.promotions);
    put(Attribute.FORGOTTEN_PROMOTIONS, () -> log().promotions.forgotten());
    events(Attribute.ENDED_WHILE_STARTING, log -> log.endedWhileStarting);
    put(Attribute.FORGOTTEN_ENDED_WHILE_STARTING, () -> log().endedWhileStarting.forgotten());
  }

  /** The first policy of the process is about to be created. */
  public static void loaded() {
    LoggerFactory.getLogger(StateChangeRecorder.LOGGER).info("Dripfeed {} is loaded, in Hadoop {}",
        VERSION.isEmpty() ? "(version unknown: not run from its jar)" : VERSION, VersionInfo.getVersion());
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

  private void put(Attribute name, Supplier<Object> value) {
    attributes.put(name.toString(), value);
  }

  private static String configured(String property) {
    List<CapacityScheduler> running = DripfeedRuntime.current().runningSchedulers();
    return running.isEmpty() ? ""
        : running.get(0).getRMContext().getYarnConfiguration().get(property, "");
  }

  private static EventLog log() {
    return DripfeedRuntime.current().events();
  }

  private void events(Attribute name, Function<EventLog, EventRing> events) {
    put(name, () -> {
      Table table = new Table(name);
      log().explainEnded();
      for (StateEvent event : events.apply(log()).events()) {
        table.add(event.sequence, event.time, event.attempt.columns(), event.from, event.to, event.code,
            event.reason(), event.millis);
      }
      return table.rows();
    });
  }

  private void queues(Attribute name, BiConsumer<QueueReader<?>, Table> rows) {
    put(name, () -> {
      Table table = new Table(name);
      for (CapacityScheduler scheduler : DripfeedRuntime.current().runningSchedulers()) {
        QueueCompat.visitLeaves(scheduler.getRootQueue(), queue -> add(queue, table, rows));
      }
      return table.rows();
    });
  }

  private void add(CSQueue queue, Table table, BiConsumer<QueueReader<?>, Table> rows) {
    StateAwareQueue<?> viewed = StateAwareQueue.of(queue);
    if (viewed != null) {
      DripfeedRuntime.current().metrics().contain(queue, "cannot be shown in the live view",
          () -> rows.accept(new QueueReader<>(queue, viewed.report()), table));
    }
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Supplier<Object> attribute = attributes.get(name);
    if (attribute == null) {
      throw new AttributeNotFoundException(name);
    }
    return attribute.get();
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList found = new AttributeList();
    for (String name : names) {
      try {
        found.add(new javax.management.Attribute(name, getAttribute(name)));
      } catch (AttributeNotFoundException | RuntimeException | LinkageError e) {
        LOG.debug("The live view cannot tell {}", name, e);
      }
    }
    return found;
  }

  @Override
  public void setAttribute(javax.management.Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException("The live view is read only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(action));
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return new MBeanInfo(LiveView.class.getName(), "The state-aware queues of this process",
        Stream.of(Attribute.values()).map(each -> new MBeanAttributeInfo(each.toString(),
            typeOf(each).getName(), "", true, false, false))
            .toArray(MBeanAttributeInfo[]::new), null, null, null);
  }

  private static Class<?> typeOf(Attribute attribute) {
    return !attribute.columns().isEmpty() ? CompositeData[].class
        : attribute.isNumber() ? Long.class : String.class;
  }
}
