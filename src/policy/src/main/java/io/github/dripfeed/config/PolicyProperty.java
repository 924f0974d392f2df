// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/** The properties of a state-aware queue: their names, their defaults, and the values they allow. */
public enum PolicyProperty {
  STARTING_TIMEOUT("starting-timeout", "5m", Kind.DURATION_ABOVE_ZERO),
  MAX_STARTING("max-starting", "1", Kind.COUNT_OR_AUTO),
  MIN_EXECUTORS("min-executors", "1", Kind.COUNT_FROM_ONE),
  ACCEPTED_TIMEOUT("accepted-timeout", "5m", Kind.DURATION_OR_ZERO),
  IDLE_TIMEOUT("idle-timeout", "0", Kind.DURATION_OR_ZERO),
  ORDER("order", "priority", Kind.ORDER),
  MAX_CONTAINERS("max-containers", "0", Kind.COUNT_OR_ZERO),
  PRIORITY_WEIGHT("priority-weight", "true", Kind.BOOLEAN),
  EXEMPT_APPLICATION_TYPES("exempt-application-types", "", Kind.LIST),
  ALLOW_APPLICATION_OVERRIDES("allow-application-overrides", "false", Kind.BOOLEAN),
  MAX_STARTING_TIMEOUT("max-starting-timeout", "30m", Kind.DURATION_ABOVE_ZERO),
  MONITOR_INTERVAL("monitor-interval", "1s", Kind.DURATION_ABOVE_ZERO),
  STARTING_GROUP("starting-group", "", Kind.NAME),
  TAKE_BACK("take-back", "off", Kind.SWITCH),
  TAKE_BACK_AFTER("take-back-after", "30s", Kind.DURATION_ABOVE_ZERO),
  ENFORCE("enforce", "true", Kind.BOOLEAN),
  RECLAIM_ENABLED("reclaim.enabled", "false", Kind.BOOLEAN),
  RECLAIM_GRACE_PERIOD("reclaim.grace-period", "15s", Kind.GRACE_PERIOD);

  /** The prefix of every property name, below {@code ordering-policy.} of the queue. */
  public static final String PREFIX = "state-aware.";

  /** The value of {@link #ORDER} under which priority does not count. */
  public static final String FIFO = "fifo";
  /** The value of {@link #ORDER} under which applications with few executors come first. */
  public static final String NARROW = "narrow";

  /** The value of {@link #MAX_STARTING} under which as many start as the queue can use. */
  public static final String AUTO = "auto";

  /** The value of an enabled switch. */
  public static final String TRUE = "true";

  /** The value of {@link #TAKE_BACK} under which starting applications are taken back. */
  public static final String ON = "on";

  /** Empty; used only for its duration parser, which takes no lock. */
  private static final Configuration DURATIONS = new Configuration(false);
  private static final Pattern NAMES = Pattern.compile("[\\w.-]*");
  private static final Set<PolicyProperty> OF_STATES = EnumSet.of(STARTING_TIMEOUT, ENFORCE, MIN_EXECUTORS,
      IDLE_TIMEOUT, EXEMPT_APPLICATION_TYPES, ALLOW_APPLICATION_OVERRIDES, MAX_STARTING_TIMEOUT,
      MONITOR_INTERVAL);
  /** What to write instead of a name that is gone. */
  private static final Map<String, String> GONE = new HashMap<>();

  static {
    GONE.put("parallel-start", "use max-starting = auto; if it is off, delete this line");
    GONE.put("starting-timeout-action", "use take-back = on; if it is run, delete this line");
    GONE.put("reclaim.interval", ofPreemption("monitoring_interval") + ", in milliseconds");
    GONE.put("reclaim.max-per-round", ofPreemption("total_preemption_per_round"));
    GONE.put("reclaim.dead-zone", ofPreemption("max_ignored_over_capacity"));
  }

  private final String key;
  private final String defaultValue;
  private final Kind kind;

  PolicyProperty(String key, String defaultValue, Kind kind) {
    this.key = key;
    this.defaultValue = defaultValue;
    this.kind = kind;
  }

  /** The property of this name below {@link #PREFIX}, or null if there is none. */
  public static PolicyProperty named(String key) {
    for (PolicyProperty property : values()) {
      if (property.key.equals(key)) {
        return property;
      }
    }
    return null;
  }

  private static String ofPreemption(String name) {
    return "use yarn.resourcemanager.monitor.capacity.preemption." + name + ", for all queues";
  }

  /** What to write instead of the property of this name, which is gone; null if there was none. */
  static String replacement(String key) {
    return GONE.get(key);
  }

  public String key() {
    return key;
  }

  /** Whether it is a setting of reclaim, and so has no effect while reclaim is off. */
  boolean isOfReclaim() {
    return key.startsWith("reclaim.") && this != RECLAIM_ENABLED;
  }

  /** Whether it has an effect if nobody is held: it concerns the states of applications. */
  boolean isOfStates() {
    return OF_STATES.contains(this);
  }

  public String defaultValue() {
    return defaultValue;
  }

  /** @param auto whether {@link #MAX_STARTING} is {@link #AUTO} */
  String defaultValue(boolean auto) {
    return auto && this == TAKE_BACK ? ON : defaultValue;
  }

  /** The allowed values, as the end of the sentence "allowed is ...". */
  String allowed() {
    return kind.allowed;
  }

  boolean allows(String value) {
    try {
      return kind.allows.test(value);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * Whether the value means what the default does: {@code 300s} is {@code 5m}.
   *
   * @param value an allowed one
   * @param auto whether {@link #MAX_STARTING} is {@link #AUTO}
   */
  boolean isDefault(String value, boolean auto) {
    return meaning(value).equals(meaning(defaultValue(auto)));
  }

  /**
   * What the value means: a duration in milliseconds, a count, or the text itself.
   *
   * @param value an allowed one
   */
  Object meaning(String value) {
    return kind.meaning == null ? value : kind.meaning.apply(value);
  }

  /**
   * Reads a duration literally: {@code ${...}} is not replaced, since some values come from users.
   *
   * @throws NumberFormatException if it is not a duration
   */
  private static long millis(String value) {
    return DURATIONS.getTimeDurationHelper(PREFIX, value, TimeUnit.MILLISECONDS);
  }

  private enum Kind {
    DURATION_ABOVE_ZERO("a duration above 0 such as 300s or 5m; a bare number is milliseconds",
        value -> millis(value) > 0, PolicyProperty::millis),
    DURATION_OR_ZERO("a duration such as 300s or 5m, or 0 for off; a bare number is milliseconds",
        value -> millis(value) >= 0, PolicyProperty::millis),
    GRACE_PERIOD("a duration such as 15s or 1m, or 0 to kill without delay; a bare number is milliseconds",
        value -> millis(value) >= 0, PolicyProperty::millis),
    COUNT_FROM_ONE("a whole number from 1 to " + Integer.MAX_VALUE,
        value -> Integer.parseInt(value) > 0, Integer::valueOf),
    COUNT_OR_AUTO("a whole number from 1 to " + Integer.MAX_VALUE + ", or " + AUTO,
        value -> AUTO.equals(value) || Integer.parseInt(value) > 0,
        value -> AUTO.equals(value) ? value : (Object) Integer.valueOf(value)),
    COUNT_OR_ZERO("a whole number from 1 to " + Integer.MAX_VALUE + ", or 0 for no limit",
        value -> Integer.parseInt(value) >= 0, Integer::valueOf),
    LIST("a comma-separated list", value -> true, null),
    NAME("a name of letters, digits, '-', '_' and '.', or nothing",
        value -> NAMES.matcher(value).matches(), null),
    BOOLEAN(TRUE, "false"),
    ORDER("priority", FIFO, NARROW),
    SWITCH("off", ON);

    private final String allowed;
    /** May throw a NumberFormatException instead of returning false. */
    private final Predicate<String> allows;
    /** What an allowed value means; null if it is the text itself. */
    private final Function<String, Object> meaning;

    Kind(String allowed, Predicate<String> allows, Function<String, Object> meaning) {
      this.allowed = allowed;
      this.allows = allows;
      this.meaning = meaning;
    }

    Kind(String... values) {
      this(String.join(" or ", values), Arrays.asList(values)::contains, null);
    }
  }
}
