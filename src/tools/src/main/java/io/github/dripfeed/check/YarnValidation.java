// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.ConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.PlacementManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * Runs YARN's own validation of a Capacity Scheduler's configuration: a Capacity Scheduler is initialized
 * with it and thrown away. It is never started, so there is no thread, no port and no file of it; its
 * metrics go to a registry that is thrown away too.
 *
 * <p>YARN offers its validator only with a running scheduler ({@code CapacitySchedulerConfigValidator}),
 * and {@code CapacityScheduler.init} creates a timer thread. The step between, {@code initScheduler}, does
 * what can refuse a configuration; it is visible to YARN's tests only, and is called by reflection.
 */
final class YarnValidation {

  /** Knows every label: the real ones are in a store that only a ResourceManager opens. */
  private static final class AnyLabel extends RMNodeLabelsManager {
    @Override
    public boolean containsNodeLabel(String label) {
      return true;
    }
  }

  /** An empty {@code capacity-scheduler.xml}: what YARN validates is in the configuration already. */
  private static final class EmptyFile extends ConfigurationProvider {
    private static final byte[] CONTENT = "<configuration/>".getBytes(StandardCharsets.UTF_8);

    @Override
    public InputStream getConfigurationInputStream(Configuration conf, String name) {
      return name.equals(YarnConfiguration.CS_CONFIGURATION_FILE)
          ? new ByteArrayInputStream(CONTENT) : null;
    }

    @Override
    public void initInternal(Configuration conf) {
      // Nothing to do.
    }

    @Override
    public void closeInternal() {
      // Nothing to do.
    }
  }

  /** Hides the {@code capacity-scheduler.xml} in use, which YARN also looks for on the class path. */
  private static final class WithoutFiles extends ClassLoader {
    WithoutFiles(ClassLoader parent) {
      super(parent);
    }

    @Override
    public URL getResource(String name) {
      return name.endsWith(".xml") ? null : super.getResource(name);
    }
  }

  /** A scheduler that can be initialized and nothing more. */
  private static final class Scheduler extends CapacityScheduler {
    private CapacitySchedulerConfiguration loaded;
    private CapacitySchedulerConfiguration answers;

    void initialize(Configuration conf) throws ReflectiveOperationException {
      setConfig(conf);
      setConf(conf);
      Method init = CapacityScheduler.class.getDeclaredMethod("initScheduler", Configuration.class);
      init.setAccessible(true);
      init.invoke(this, conf);
    }

    @Override
    public CapacitySchedulerConfiguration getConfiguration() {
      CapacitySchedulerConfiguration current = super.getConfiguration();
      if (current != null && current != loaded) {
        loaded = current;
        answers = answersOf(current);
      }
      return current == null ? null : answers;
    }

    private static CapacitySchedulerConfiguration answersOf(CapacitySchedulerConfiguration conf) {
      try {
        return new Answers(conf);
      } catch (ReflectiveOperationException | RuntimeException e) {
        // Slower, and otherwise the same.
        return conf;
      }
    }
  }

  /**
   * The same properties, in a form that answers for each name but lists few: for each queue YARN goes
   * through all that are listed to find those of its ordering policy and the weights of its users, which
   * takes minutes with thousands of queues. It asks for some forty names for each queue, most of which
   * nobody has set, so the answers come without Hadoop's search for older names.
   */
  private static final class Answers extends CapacitySchedulerConfiguration {
    /** What YARN looks for in the list. */
    private static final Pattern LISTED =
        Pattern.compile("\\.ordering-policy\\.|\\.user-settings\\.|template\\.");

    /** Null while the constructor of the superclass runs. */
    private final Properties values;

    Answers(CapacitySchedulerConfiguration conf) throws ReflectiveOperationException {
      super(conf, false);
      Field properties = Configuration.class.getDeclaredField("properties");
      properties.setAccessible(true);
      Properties all = (Properties) properties.get(conf);
      values = new Properties(all);
      for (String name : all.stringPropertyNames()) {
        if (LISTED.matcher(name).find()) {
          values.setProperty(name, all.getProperty(name));
        }
      }
      properties.set(this, values);
    }

    @Override
    public String get(String name) {
      if (values == null || !name.startsWith(PREFIX)) {
        return super.get(name);
      }
      String value = values.getProperty(name);
      return value != null && value.contains("${") ? super.get(name) : value;
    }

    @Override
    public String get(String name, String defaultValue) {
      String value = get(name);
      return value == null ? defaultValue : value;
    }
  }

  private static final String SCHEDULER = "yarn.scheduler.";
  private static final String STORE = YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS;
  private static final String THREADS = "yarn.scheduler.capacity.schedule-asynchronously.enable";

  private YarnValidation() {
  }

  /**
   * Validates properties.
   *
   * @param properties all of them; of those only the ones of schedulers are used, since others could make
   *     YARN load security plug-ins and the like
   * @param queues the paths of the queues, as far as they are known
   * @return why YARN refuses them; null if it does not
   */
  static String refusal(Map<String, String> properties, Collection<String> queues) {
    MetricsSystem metrics = DefaultMetricsSystem.instance();
    Map<String, QueueMetrics> cache = QueueMetrics.getQueueMetrics();
    Map<String, QueueMetrics> cached = new HashMap<>(cache);
    cache.clear();
    DefaultMetricsSystem.setInstance(new ThrowawayMetrics());
    try {
      // A user of its own, since YARN would otherwise log in, with Kerberos if need be.
      UserGroupInformation.createRemoteUser("check").doAs((PrivilegedExceptionAction<Void>) () -> {
        shareMetrics(queues);
        run(properties);
        return null;
      });
      return null;
    } catch (StackOverflowError e) {
      return "queues or properties are nested too deeply";
    } catch (Exception | LinkageError e) {
      return reason(e);
    } finally {
      cache.clear();
      cache.putAll(cached);
      DefaultMetricsSystem.setInstance(metrics);
    }
  }

  /** @return what stops the validation of a configuration without fault; null if nothing does */
  static String obstacle() {
    Map<String, String> faultless = new HashMap<>();
    faultless.put("yarn.scheduler.capacity.root.queues", "default");
    faultless.put("yarn.scheduler.capacity.root.default.capacity", "100");
    return refusal(faultless, Collections.emptySet());
  }

  /** Lets all queues use the same metrics: YARN takes longer to make them than for all the rest. */
  private static void shareMetrics(Collection<String> queues) {
    QueueMetrics shared =
        CSQueueMetrics.forQueue(SchedulerFiles.ROOT, null, false, new Configuration(false));
    for (String queue : queues) {
      QueueMetrics.getQueueMetrics().put(queue, shared);
    }
  }

  private static void run(Map<String, String> properties) throws ReflectiveOperationException {
    Configuration conf = new Configuration(false);
    conf.setClassLoader(new WithoutFiles(CapacityScheduler.class.getClassLoader()));
    conf.addResource(resource(properties));
    RMNodeLabelsManager labels = new AnyLabel();
    labels.init(conf);
    try {
      RMContextImpl context = new RMContextImpl();
      context.setNodeLabelManager(labels);
      context.setQueuePlacementManager(new PlacementManager());
      context.setConfigurationProvider(new EmptyFile());
      Scheduler scheduler = new Scheduler();
      context.setScheduler(scheduler);
      scheduler.setRMContext(context);
      scheduler.initialize(conf);
    } finally {
      labels.stop();
    }
  }

  /** In memory, since the file that they would make is as long to write and to read as the one checked. */
  private static Configuration resource(Map<String, String> properties) {
    Configuration resource = new Configuration(false);
    properties.forEach((name, value) -> {
      if (name.startsWith(SCHEDULER) && !name.equals(STORE) && !name.equals(THREADS)) {
        resource.set(name, value);
      }
    });
    return resource;
  }

  /** The messages from the general one to the cause, each once. */
  private static String reason(Throwable thrown) {
    List<String> reasons = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable e = thrown; e != null && seen.add(e); e = e.getCause()) {
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
