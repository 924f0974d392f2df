// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import io.github.dripfeed.core.admission.AttemptSettings;
import io.github.dripfeed.core.admission.QueueSettings;
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

  /** What the value of each property means. */
  private final Map<PolicyProperty, Object> values = new EnumMap<>(PolicyProperty.class);
  private final QueueSettings settings;
  private final boolean byPriority;
  private final boolean fair;
  private final Set<String> exemptTypes;
  private final boolean reclaims;
  private final Map<String, String> inEffect;
  private final Map<String, String> changed;

  /** @param written valid texts; a property without a value has its default */
  private PolicyConfiguration(PolicyKind kind, Map<PolicyProperty, String> written) {
    boolean enforced = PolicyProperty.TRUE.equals(
        written.getOrDefault(PolicyProperty.ENFORCE, PolicyProperty.ENFORCE.defaultValue()));
    Map<PolicyProperty, String> texts = new EnumMap<>(written);
    texts.keySet().removeIf(property -> !enforced && !property.isOfStates());
    boolean auto = isAuto(texts);
    fair = kind == PolicyKind.FAIR;
    for (PolicyProperty property : PolicyProperty.values()) {
      values.put(property, property.meaning(texts.getOrDefault(property, property.defaultValue(auto))));
    }
    AttemptSettings attempts = new AttemptSettings(millis(PolicyProperty.STARTING_TIMEOUT),
        count(PolicyProperty.MIN_EXECUTORS)).withIdleTimeout(millis(PolicyProperty.IDLE_TIMEOUT));
    settings = !enforced ? new QueueSettings(attempts)
        : new QueueSettings(auto ? 1 : count(PolicyProperty.MAX_STARTING),
            millis(PolicyProperty.ACCEPTED_TIMEOUT), attempts)
            .withMaxContainers(count(PolicyProperty.MAX_CONTAINERS))
            .withAuto(auto)
            .withTakeBack(is(PolicyProperty.TAKE_BACK, PolicyProperty.ON)
                ? millis(PolicyProperty.TAKE_BACK_AFTER) : 0);
    byPriority = fair ? enforced && is(PolicyProperty.PRIORITY_WEIGHT, PolicyProperty.TRUE)
        : !is(PolicyProperty.ORDER, PolicyProperty.FIFO);
    exemptTypes = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    exemptTypes.addAll(Arrays.asList(
        StringUtils.getTrimmedStrings((String) values.get(PolicyProperty.EXEMPT_APPLICATION_TYPES))));
    // An empty entry between two commas exempts nothing, though an application's type may be empty.
    exemptTypes.remove("");
    reclaims = is(PolicyProperty.RECLAIM_ENABLED, PolicyProperty.TRUE)
        && (fair || byPriority);
    Map<String, String> shown = new LinkedHashMap<>();
    Map<String, String> set = new LinkedHashMap<>();
    for (PolicyProperty property : PolicyProperty.values()) {
      if (kind.supports(property) && (reclaims || !property.isOfReclaim())
          && (enforced || property.isOfStates())) {
        String value = texts.getOrDefault(property, property.defaultValue(auto));
        shown.put(property.key(), value);
        if (!property.isDefault(value, auto)) {
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
              + ". YARN does not tell a policy its queue; 'yarn jar dripfeed-tools-*.jar check"
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
        String key = set.getKey().substring(PolicyProperty.PREFIX.length());
        PolicyProperty property = PolicyProperty.named(key);
        String problem = problem(key, property, value, kind);
        if (problem == null) {
          values.put(property, value);
        } else {
          problems.add(sentence(key, value, problem));
        }
      }
    }
    String group = isAuto(values) ? values.remove(PolicyProperty.STARTING_GROUP) : null;
    if (group != null && !group.isEmpty()) {
      problems.add(sentence(PolicyProperty.STARTING_GROUP.key(), group,
          "all queues with max-starting = auto are one group already"));
    }
    return new PolicyConfiguration(kind, values);
  }

  private static String sentence(String key, String value, String problem) {
    return "ordering-policy." + PolicyProperty.PREFIX + key + " = '" + value + "': " + problem;
  }

  private static boolean isAuto(Map<PolicyProperty, String> texts) {
    return PolicyProperty.AUTO.equals(texts.get(PolicyProperty.MAX_STARTING));
  }

  private static String problem(String key, PolicyProperty property, String value, PolicyKind kind) {
    if (property == null) {
      String replacement = PolicyProperty.replacement(key);
      return replacement == null ? "no such property; allowed are " + kind.supported()
          : "was removed; " + replacement;
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

  /** Whether the queue is shared by weight. */
  public boolean isFair() {
    return fair;
  }

  /** Whether applications with few executors come first. */
  public boolean isNarrow() {
    return !fair && is(PolicyProperty.ORDER, PolicyProperty.NARROW);
  }

  /** Whether as many applications start as the queue can use. */
  public boolean isAuto() {
    return settings.isAuto();
  }

  /** The group of queues that count their starting applications together; empty if the queue is alone. */
  public String startingGroup() {
    return (String) values.get(PolicyProperty.STARTING_GROUP);
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
    return is(PolicyProperty.ALLOW_APPLICATION_OVERRIDES, PolicyProperty.TRUE);
  }

  /** The longest starting-timeout that an application may set for itself. */
  long maxStartingTimeoutMillis() {
    return millis(PolicyProperty.MAX_STARTING_TIMEOUT);
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
    return settings.maxContainers() > 0 ? PolicyProperty.MAX_CONTAINERS.key() + " less the AM"
        : MIN_EXECUTORS_FACTOR + " times " + PolicyProperty.MIN_EXECUTORS.key();
  }

  /** The time between two visits of the monitor. */
  public long monitorIntervalMillis() {
    return millis(PolicyProperty.MONITOR_INTERVAL);
  }

  /** Whether the queue reclaims containers; never in the order by submission alone. */
  public boolean reclaims() {
    return reclaims;
  }

  /** How long an application may take to release a container before YARN kills it. */
  public long reclaimGraceMillis() {
    return millis(PolicyProperty.RECLAIM_GRACE_PERIOD);
  }

  /** Every property that has an effect, with its configured or default value, by name. */
  public Map<String, String> inEffect() {
    return inEffect;
  }

  /** Those of {@link #inEffect} whose value differs from the default, however it is written. */
  public Map<String, String> changed() {
    return changed;
  }

  private boolean is(PolicyProperty property, String text) {
    return values.get(property).equals(text);
  }

  private int count(PolicyProperty property) {
    return (Integer) values.get(property);
  }

  private long millis(PolicyProperty property) {
    return (Long) values.get(property);
  }
}
