// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.QueueSettings;
import io.github.dripfeed.core.takeback.TakeBackSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.util.StringUtils;

/**
 * The properties that an operator has set for one queue, checked as a whole and parsed once. Immutable:
 * reading it parses nothing and takes no lock.
 */
public final class PolicyConfiguration {

  /** The factor by which an application's own min-executors may exceed the queue's. */
  private static final int MIN_EXECUTORS_FACTOR = 100;

  private final QueueSettings settings;
  private final String startingGroup;
  private final boolean byPriority;
  private final Set<String> exemptTypes;
  private final boolean overridesAllowed;
  private final long maxStartingTimeoutMillis;
  private final long monitorIntervalMillis;
  private final boolean reclaimEnabled;
  private final long reclaimGraceMillis;
  private final long reclaimIntervalMillis;
  private final double reclaimMaxPerRound;
  private final double reclaimDeadZone;
  private final Map<String, String> inEffect;
  private final Map<String, String> changed;

  /** @param values valid ones; a property without a value has its default */
  private PolicyConfiguration(PolicyKind kind, Map<PolicyProperty, String> values) {
    Values read = new Values(values);
    AttemptSettings attempts = new AttemptSettings(read.millis(PolicyProperty.STARTING_TIMEOUT),
        read.count(PolicyProperty.MIN_EXECUTORS)).withIdleTimeout(read.millis(PolicyProperty.IDLE_TIMEOUT));
    settings = new QueueSettings(read.count(PolicyProperty.MAX_STARTING),
        read.millis(PolicyProperty.ACCEPTED_TIMEOUT), attempts)
        .withMaxContainers(read.count(PolicyProperty.MAX_CONTAINERS))
        .withParallelStart(read.of(PolicyProperty.PARALLEL_START).equals(PolicyProperty.HEADROOM))
        .withTakeBack(new TakeBackSettings(read.of(PolicyProperty.TAKE_BACK).equals(PolicyProperty.ON),
            read.millis(PolicyProperty.TAKE_BACK_AFTER),
            read.of(PolicyProperty.STARTING_TIMEOUT_ACTION).equals(PolicyProperty.TAKE_BACK_ACTION)));
    startingGroup = read.of(PolicyProperty.STARTING_GROUP);
    byPriority = kind == PolicyKind.FAIR ? read.isTrue(PolicyProperty.PRIORITY_WEIGHT)
        : !read.of(PolicyProperty.ORDER).equals(PolicyProperty.FIFO);
    exemptTypes = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    exemptTypes.addAll(Arrays.asList(
        StringUtils.getTrimmedStrings(read.of(PolicyProperty.EXEMPT_APPLICATION_TYPES))));
    // An empty entry between two commas exempts nothing, though an application's type may be empty.
    exemptTypes.remove("");
    overridesAllowed = read.isTrue(PolicyProperty.ALLOW_APPLICATION_OVERRIDES);
    maxStartingTimeoutMillis = read.millis(PolicyProperty.MAX_STARTING_TIMEOUT);
    monitorIntervalMillis = read.millis(PolicyProperty.MONITOR_INTERVAL);
    reclaimEnabled = read.isTrue(PolicyProperty.RECLAIM_ENABLED)
        && (kind == PolicyKind.FAIR || byPriority);
    reclaimGraceMillis = read.millis(PolicyProperty.RECLAIM_GRACE_PERIOD);
    reclaimIntervalMillis = read.millis(PolicyProperty.RECLAIM_INTERVAL);
    reclaimMaxPerRound = read.fraction(PolicyProperty.RECLAIM_MAX_PER_ROUND);
    reclaimDeadZone = read.fraction(PolicyProperty.RECLAIM_DEAD_ZONE);
    Map<String, String> shown = new LinkedHashMap<>();
    Map<String, String> set = new LinkedHashMap<>();
    for (PolicyProperty property : PolicyProperty.values()) {
      if (kind.supports(property) && (reclaimEnabled || !property.isOfReclaim())) {
        String value = read.of(property);
        shown.put(property.key(), value);
        if (!property.isDefault(value)) {
          set.put(property.key(), value);
        }
      }
    }
    inEffect = Collections.unmodifiableMap(shown);
    changed = Collections.unmodifiableMap(set);
  }

  /**
   * Reads the properties that YARN passes to a policy: those of the queue below {@code ordering-policy.}.
   *
   * @throws IllegalArgumentException if a property below {@link PolicyProperty#PREFIX} is unknown, is not
   *     supported by the policy class, or has a value that is not allowed; the message names every such
   *     property, its value, and the allowed values
   */
  public static PolicyConfiguration of(Map<String, String> properties, PolicyKind kind) {
    List<String> problems = new ArrayList<>();
    PolicyConfiguration configuration = read(properties, kind, problems);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid configuration of a state-aware queue: " + String.join("; ", problems)
              + ". YARN does not tell a policy its queue; 'yarn jar dripfeed-yarn.jar check"
              + " capacity-scheduler.xml yarn-site.xml' names it and lists all errors of the file");
    }
    return configuration;
  }

  /**
   * Reads the same properties, and uses the default for each invalid one.
   *
   * @param problems receives a sentence for each invalid property
   */
  public static PolicyConfiguration read(
      Map<String, String> properties, PolicyKind kind, List<String> problems) {
    Map<PolicyProperty, String> values = new EnumMap<>(PolicyProperty.class);
    // Sorted, so that the same mistakes give the same message.
    for (Map.Entry<String, String> set : new TreeMap<>(properties).entrySet()) {
      if (set.getKey().startsWith(PolicyProperty.PREFIX)) {
        String value = set.getValue() == null ? "" : set.getValue().trim();
        PolicyProperty property =
            PolicyProperty.named(set.getKey().substring(PolicyProperty.PREFIX.length()));
        String problem = problem(property, value, kind);
        if (problem == null) {
          values.put(property, value);
        } else {
          problems.add("ordering-policy." + set.getKey() + " = '" + value + "': " + problem);
        }
      }
    }
    return new PolicyConfiguration(kind, values);
  }

  private static String problem(PolicyProperty property, String value, PolicyKind kind) {
    if (property == null) {
      return "no such property; allowed are " + kind.supported();
    }
    if (!kind.supports(property)) {
      return "not a property of this policy class; allowed are " + kind.supported();
    }
    return property.allows(value) ? null : "allowed is " + property.allowed();
  }

  /** The settings of the rule. */
  public QueueSettings settings() {
    return settings;
  }

  /** The group of queues that count their starting applications together; empty if the queue is alone. */
  public String startingGroup() {
    return startingGroup;
  }

  /**
   * Whether priority counts. In the order by submission it comes before submission; in the fair order it
   * determines the weight of an application.
   */
  public boolean isByPriority() {
    return byPriority;
  }

  /**
   * Whether applications of this type are never held; ignores case.
   *
   * @param applicationType may be null
   */
  boolean isExempt(String applicationType) {
    return applicationType != null && exemptTypes.contains(applicationType);
  }

  /** Whether tags of applications are honored. */
  boolean allowsOverrides() {
    return overridesAllowed;
  }

  /** The longest starting-timeout that an application may set for itself. */
  long maxStartingTimeoutMillis() {
    return maxStartingTimeoutMillis;
  }

  /**
   * The largest min-executors that an application may set for itself: the number of executors that it may
   * hold or, without such a limit, a multiple of the queue's min-executors.
   */
  long maxMinExecutors() {
    return settings.maxContainers() > 0 ? settings.maxContainers() - 1
        : (long) MIN_EXECUTORS_FACTOR * settings.attempts().minExecutors();
  }

  /** The origin of {@link #maxMinExecutors}, for messages. */
  String maxMinExecutorsReason() {
    return settings.maxContainers() > 0 ? PolicyProperty.MAX_CONTAINERS.key() + " without the driver"
        : MIN_EXECUTORS_FACTOR + " times " + PolicyProperty.MIN_EXECUTORS.key();
  }

  /** The time between two visits of the monitor. */
  public long monitorIntervalMillis() {
    return monitorIntervalMillis;
  }

  /** Whether the queue reclaims containers; never in the order by submission alone. */
  public boolean reclaims() {
    return reclaimEnabled;
  }

  /** How long an application may take to release a container before YARN kills it. */
  public long reclaimGraceMillis() {
    return reclaimGraceMillis;
  }

  /** The time between two rounds of reclaim. */
  public long reclaimIntervalMillis() {
    return reclaimIntervalMillis;
  }

  /** The fraction of the queue's usage that one round may newly reclaim. */
  public double reclaimMaxPerRound() {
    return reclaimMaxPerRound;
  }

  /** The deviation from its share that is tolerated, as a fraction of the share. */
  public double reclaimDeadZone() {
    return reclaimDeadZone;
  }

  /** Every property that has an effect, with its configured or default value, by name. */
  public Map<String, String> inEffect() {
    return inEffect;
  }

  /** Those of {@link #inEffect} whose value differs from the default, however it is written. */
  public Map<String, String> changed() {
    return changed;
  }

  /** The properties in effect and their values, for messages. */
  @Override
  public String toString() {
    List<String> shown = new ArrayList<>();
    inEffect.forEach((name, value) -> shown.add(name + "=" + value));
    return String.join(", ", shown);
  }

  /** Converts valid values from text. */
  private static final class Values {

    private final Map<PolicyProperty, String> values;

    Values(Map<PolicyProperty, String> values) {
      this.values = values;
    }

    String of(PolicyProperty property) {
      return values.getOrDefault(property, property.defaultValue());
    }

    int count(PolicyProperty property) {
      return Integer.parseInt(of(property));
    }

    long millis(PolicyProperty property) {
      return PolicyProperty.millis(of(property));
    }

    double fraction(PolicyProperty property) {
      return PolicyProperty.fraction(of(property));
    }

    boolean isTrue(PolicyProperty property) {
      return of(property).equals(PolicyProperty.TRUE);
    }
  }
}
