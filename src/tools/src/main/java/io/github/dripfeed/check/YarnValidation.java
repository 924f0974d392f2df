// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URL;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Runs YARN's own validation of a Capacity Scheduler's configuration: a Capacity Scheduler is initialized
 * with it and thrown away. It is never started, so it has no thread, port or file, and its metrics go to a
 * registry of its own.
 *
 * <p>YARN's validator needs a running scheduler, and {@code CapacityScheduler.init} creates a timer thread.
 * The step between, {@code initScheduler}, refuses what is to be refused; it is called by reflection, since
 * it is visible to YARN's tests only.
 */
final class YarnValidation {

  /** A scheduler that can be initialized and nothing more. */
  private static final class Scheduler extends CapacityScheduler {
    void initialize(Configuration conf) throws ReflectiveOperationException {
      setConfig(conf);
      setConf(conf);
      Method init = CapacityScheduler.class.getDeclaredMethod("initScheduler", Configuration.class);
      init.setAccessible(true);
      init.invoke(this, conf);
    }
  }

  /** A store of configurations is a service, and asynchronous scheduling starts threads. */
  private static final List<String> SERVICES = Arrays.asList(
      YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS,
      "yarn.scheduler.capacity.schedule-asynchronously.enable");

  private YarnValidation() {
  }

  /**
   * Why YARN refuses these properties; null if it does not. Only those of schedulers are used: others could
   * make YARN load security plug-ins and the like.
   */
  static String refusal(Map<String, String> properties) {
    MetricsSystem metrics = DefaultMetricsSystem.instance();
    DefaultMetricsSystem.setInstance(new MetricsSystemImpl());
    try {
      // A user of its own, since YARN would otherwise log in, with Kerberos if need be.
      UserGroupInformation.createRemoteUser("check")
          .doAs((PrivilegedExceptionAction<Void>) () -> run(properties));
      return null;
    } catch (StackOverflowError e) {
      return "queues or properties are nested too deeply";
    } catch (Exception | LinkageError e) {
      return reason(e);
    } finally {
      QueueMetrics.clearQueueMetrics();
      DefaultMetricsSystem.setInstance(metrics);
    }
  }

  /** @return what stops the validation of a configuration without fault; null if nothing does */
  static String obstacle() {
    Map<String, String> faultless = new HashMap<>();
    faultless.put("yarn.scheduler.capacity.root.queues", "default");
    faultless.put("yarn.scheduler.capacity.root.default.capacity", "100");
    return refusal(faultless);
  }

  private static Void run(Map<String, String> properties) throws ReflectiveOperationException {
    Configuration conf = new Configuration(false);
    // Hides the capacity-scheduler.xml in use, which YARN also looks for on the class path.
    conf.setClassLoader(new ClassLoader(CapacityScheduler.class.getClassLoader()) {
      @Override
      public URL getResource(String name) {
        return name.endsWith(".xml") ? null : super.getResource(name);
      }
    });
    properties.forEach((name, value) -> {
      if (name.startsWith("yarn.scheduler.") && !SERVICES.contains(name)) {
        conf.set(name, value);
      }
    });
    // Knows every label: the real ones are in a store that only a ResourceManager opens.
    RMNodeLabelsManager labels = new RMNodeLabelsManager() {
      @Override
      public boolean containsNodeLabel(String label) {
        return true;
      }
    };
    labels.init(conf);
    try {
      RMContextImpl context = new RMContextImpl();
      context.setNodeLabelManager(labels);
      context.setQueuePlacementManager(new PlacementManager());
      context.setConfigurationProvider(new LocalConfigurationProvider());
      Scheduler scheduler = new Scheduler();
      context.setScheduler(scheduler);
      scheduler.setRMContext(context);
      scheduler.initialize(conf);
      return null;
    } finally {
      labels.stop();
    }
  }

  /** The messages from the general one to the cause, each once. */
  private static String reason(Throwable thrown) {
    List<String> reasons = new ArrayList<>();
    for (Throwable e : ExceptionUtils.getThrowableList(thrown)) {
      boolean wraps = e instanceof InvocationTargetException
          || e instanceof UndeclaredThrowableException;
      String message = e.getMessage() == null || e instanceof LinkageError
          || e instanceof ReflectiveOperationException ? e.toString() : e.getMessage();
      if (!wraps && reasons.stream().noneMatch(known -> known.contains(message))) {
        reasons.removeIf(message::contains);
        reasons.add(message.trim().replaceAll("\\s+", " "));
      }
    }
    return String.join(": ", reasons);
  }
}
