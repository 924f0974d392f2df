// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import io.github.dripfeed.core.admission.AttemptSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The settings that an application's type and tags override: whether it is exempt, its {@code
 * starting-timeout} and its {@code min-executors}. An invalid tag is ignored and never fails the
 * application.
 */
public final class ApplicationOverrides {

  private static final String PREFIX = "stateaware.";
  private static final String DISABLE = PREFIX + "disable";
  private static final String STARTING_TIMEOUT = PREFIX + PolicyProperty.STARTING_TIMEOUT.key() + "=";
  private static final String MIN_EXECUTORS = PREFIX + PolicyProperty.MIN_EXECUTORS.key() + "=";
  private static final int SHOWN = 60;
  /** Most applications have none; nothing changes it. */
  private static final ApplicationOverrides NONE = new ApplicationOverrides();

  private final List<String> problems = new ArrayList<>();
  private boolean exempt;
  private Long startingTimeout;
  private Integer minExecutors;

  private ApplicationOverrides() {
  }

  /** No overrides. */
  public static ApplicationOverrides none() {
    return NONE;
  }

  /**
   * @param type of the application; may be null
   * @param tags all tags of the application; may be null
   */
  public static ApplicationOverrides of(PolicyConfiguration configuration, String type,
      Collection<String> tags) {
    boolean exempt = configuration.isExempt(type);
    boolean readsTags = configuration.allowsOverrides() && tags != null;
    if (!exempt && !readsTags) {
      return NONE;
    }
    ApplicationOverrides overrides = new ApplicationOverrides();
    overrides.exempt = exempt;
    if (readsTags) {
      // Sorted, so that the effect does not depend on the order in which YARN lists the tags.
      for (String tag : new TreeSet<>(tags)) {
        if (tag.startsWith(PREFIX)) {
          overrides.read(tag, configuration);
        }
      }
    }
    return overrides;
  }

  private void read(String tag, PolicyConfiguration configuration) {
    if (tag.equals(DISABLE)) {
      exempt = true;
    } else if (tag.startsWith(STARTING_TIMEOUT)) {
      readStartingTimeout(tag, tag.substring(STARTING_TIMEOUT.length()), configuration);
    } else if (tag.startsWith(MIN_EXECUTORS)) {
      readMinExecutors(tag, tag.substring(MIN_EXECUTORS.length()), configuration);
    } else {
      problem(tag, DISABLE + ", " + STARTING_TIMEOUT + "<duration>, " + MIN_EXECUTORS + "<n>");
    }
  }

  private void readStartingTimeout(String tag, String value, PolicyConfiguration configuration) {
    if (!PolicyProperty.STARTING_TIMEOUT.allows(value)) {
      problem(tag, PolicyProperty.STARTING_TIMEOUT.allowed());
      return;
    }
    long millis = PolicyProperty.millis(value);
    if (millis > configuration.maxStartingTimeoutMillis()) {
      String name = PolicyProperty.MAX_STARTING_TIMEOUT.key();
      problem(tag, "at most " + configuration.inEffect().get(name) + " (" + name + ") in this queue");
    } else {
      startingTimeout = millis;
    }
  }

  private void readMinExecutors(String tag, String value, PolicyConfiguration configuration) {
    if (!PolicyProperty.MIN_EXECUTORS.allows(value)) {
      problem(tag, PolicyProperty.MIN_EXECUTORS.allowed());
      return;
    }
    int executors = Integer.parseInt(value);
    if (executors > configuration.maxMinExecutors()) {
      problem(tag, "at most " + configuration.maxMinExecutors() + " ("
          + configuration.maxMinExecutorsReason() + ") in this queue");
    } else {
      minExecutors = executors;
    }
  }

  private void problem(String tag, String allowed) {
    problems.add("tag '" + oneLine(tag) + "' is ignored: allowed is " + allowed);
  }

  /** Tags come from users: a tag must neither forge a log line nor flood the log. */
  private static String oneLine(String tag) {
    String shown = tag.length() > SHOWN ? tag.substring(0, SHOWN) + "..." : tag;
    return shown.replaceAll("[^ -~]|[<>&]", "?");
  }

  /** Whether the application is never held. */
  public boolean isExempt() {
    return exempt;
  }

  /**
   * The settings of the application's attempts: those of the queue, except the ones that its tags
   * override.
   */
  public AttemptSettings appliedTo(AttemptSettings queue) {
    AttemptSettings own = queue;
    if (startingTimeout != null) {
      own = own.withStartingTimeout(startingTimeout);
    }
    if (minExecutors != null) {
      own = own.withMinExecutors(minExecutors);
    }
    return own;
  }

  /** The problems of its tags, one sentence each. */
  public List<String> problems() {
    return problems;
  }
}
