/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.config;

import io.github.dripfeed.core.admission.AdmissionSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.util.StringUtils;

/** What an operator has set for one queue, checked as a whole. Immutable. */
public final class PolicyConfiguration {

  /** How many times the executors of the queue's rule an application may want of its own accord. */
  private static final int MIN_EXECUTORS_FACTOR = 100;

  private final Map<PolicyProperty, String> values;
  private final Set<PolicyProperty> foreign;
  /** Read once: some are asked for in every round of the monitor. */
  private final Map<PolicyProperty, Long> durations = new ConcurrentHashMap<>();

  private PolicyConfiguration(Map<PolicyProperty, String> values, Set<PolicyProperty> foreign) {
    this.values = values;
    this.foreign = foreign;
  }

  /**
   * Reads what YARN hands to a policy: the properties of the queue below {@code ordering-policy.}.
   *
   * @param foreign properties that belong to the other policy class only
   * @throws IllegalArgumentException if anything below {@code state-aware.} is unknown, misplaced,
   *     unparsable or out of range; names every such property with its value and what is allowed
   */
  public static PolicyConfiguration of(Map<String, String> conf, Set<PolicyProperty> foreign) {
    List<String> problems = new ArrayList<>();
    PolicyConfiguration configuration = read(conf, foreign, problems);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "Invalid configuration of a state-aware queue: " + String.join("; ", problems));
    }
    return configuration;
  }

  /**
   * The same for those who want to know all that is valid, whatever else is wrong.
   *
   * @param problems gets a sentence for each property that is wrong
   */
  static PolicyConfiguration read(
      Map<String, String> conf, Set<PolicyProperty> foreign, List<String> problems) {
    Map<PolicyProperty, String> values = new EnumMap<>(PolicyProperty.class);
    // Sorted, so that the same mistakes give the same message.
    for (Map.Entry<String, String> set : new TreeMap<>(conf).entrySet()) {
      if (set.getKey().startsWith(PolicyProperty.PREFIX)) {
        String value = set.getValue() == null ? "" : set.getValue().trim();
        PolicyProperty property =
            PolicyProperty.named(set.getKey().substring(PolicyProperty.PREFIX.length()));
        String problem = problem(property, value, foreign);
        if (problem == null) {
          values.put(property, value);
        } else {
          problems.add("ordering-policy." + set.getKey() + " = '" + value + "': " + problem);
        }
      }
    }
    return new PolicyConfiguration(values, foreign);
  }

  private static String problem(PolicyProperty property, String value, Set<PolicyProperty> foreign) {
    if (property == null) {
      return "no such property; allowed are " + names(foreign);
    }
    if (foreign.contains(property)) {
      return "not a property of this policy class; allowed are " + names(foreign);
    }
    return property.allows(value) ? null : "allowed is " + property.allowed();
  }

  private static String names(Collection<PolicyProperty> except) {
    List<String> names = new ArrayList<>();
    for (PolicyProperty property : EnumSet.complementOf(EnumSet.copyOf(except))) {
      names.add(property.key());
    }
    return String.join(", ", names);
  }

  public AdmissionSettings settings() {
    AdmissionSettings settings =
        new AdmissionSettings(count(PolicyProperty.MAX_STARTING), count(PolicyProperty.MIN_EXECUTORS),
        duration(PolicyProperty.STARTING_TIMEOUT), duration(PolicyProperty.ACCEPTED_TIMEOUT))
        .withIdleTimeout(duration(PolicyProperty.IDLE_TIMEOUT))
            .withMaxContainers(count(PolicyProperty.MAX_CONTAINERS));
    return value(PolicyProperty.PARALLEL_START).equals("headroom") ? settings.withParallelStart()
        : settings;
  }

  /**
   * Whether priority counts: in the order by submission it comes before submission, in the fair order
   * it gives an application its weight.
   */
  public boolean isByPriority() {
    return foreign.contains(PolicyProperty.ORDER)
        ? Boolean.parseBoolean(value(PolicyProperty.PRIORITY_WEIGHT))
        : value(PolicyProperty.ORDER).equals("priority");
  }

  /** Whether applications of this type, which may be null, skip the drip. Case does not count. */
  boolean isExempt(String applicationType) {
    // Nothing between two commas is not a type, though a client may name its application's so.
    for (String type : StringUtils.getTrimmedStrings(value(PolicyProperty.EXEMPT_APPLICATION_TYPES))) {
      if (!type.isEmpty() && type.equalsIgnoreCase(applicationType)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the tags of an application count. */
  boolean allowsOverrides() {
    return Boolean.parseBoolean(value(PolicyProperty.ALLOW_APPLICATION_OVERRIDES));
  }

  long maxStartingTimeoutMillis() {
    return duration(PolicyProperty.MAX_STARTING_TIMEOUT);
  }

  /** Whether applications may take back from each other: by submission alone nobody may. */
  public boolean reclaims() {
    return Boolean.parseBoolean(value(PolicyProperty.RECLAIM_ENABLED))
        && (foreign.contains(PolicyProperty.ORDER) || isByPriority());
  }

  /**
   * The most executors that an application may say it needs to be running: what it may hold beside its
   * driver, and where that has no limit a multiple of what the queue goes by.
   */
  long mostMinExecutors() {
    int containers = count(PolicyProperty.MAX_CONTAINERS);
    return containers == 0 ? (long) MIN_EXECUTORS_FACTOR * count(PolicyProperty.MIN_EXECUTORS)
        : containers - 1;
  }

  /** Where {@link #mostMinExecutors} comes from, for people to read. */
  String mostMinExecutorsReason() {
    return count(PolicyProperty.MAX_CONTAINERS) == 0
        ? MIN_EXECUTORS_FACTOR + " times min-executors" : "max-containers without the driver";
  }

  public long reclaimGraceMillis() {
    return duration(PolicyProperty.RECLAIM_GRACE_PERIOD);
  }

  public long reclaimIntervalMillis() {
    return duration(PolicyProperty.RECLAIM_INTERVAL);
  }

  /** The most to ask back anew in one round, as a part of what the queue holds. */
  public double reclaimMaxPerRound() {
    return PolicyProperty.part(value(PolicyProperty.RECLAIM_MAX_PER_ROUND));
  }

  /** By what part of its share an application may be off. */
  public double reclaimDeadZone() {
    return PolicyProperty.part(value(PolicyProperty.RECLAIM_DEAD_ZONE));
  }

  public long monitorIntervalMillis() {
    return duration(PolicyProperty.MONITOR_INTERVAL);
  }

  /** The properties in effect with their values, by their names. */
  Map<String, String> inEffect() {
    Map<String, String> shown = new LinkedHashMap<>();
    for (PolicyProperty property : PolicyProperty.values()) {
      if (!foreign.contains(property) && (reclaims() || !property.isOfReclaim())) {
        shown.put(property.key(), value(property));
      }
    }
    return shown;
  }

  /** The properties in effect with their values, for people to read. */
  @Override
  public String toString() {
    List<String> shown = new ArrayList<>();
    inEffect().forEach((name, value) -> shown.add(name + "=" + value));
    return String.join(", ", shown);
  }

  private String value(PolicyProperty property) {
    return values.getOrDefault(property, property.defaultValue());
  }

  private int count(PolicyProperty property) {
    return Integer.parseInt(value(property));
  }

  private long duration(PolicyProperty property) {
    return durations.computeIfAbsent(property, p -> PolicyProperty.durationMillis(value(p)));
  }
}
