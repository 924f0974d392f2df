// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import io.github.dripfeed.core.admission.AttemptSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongConsumer;

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

  private final PolicyConfiguration configuration;
  private final List<String> problems = new ArrayList<>();
  private boolean exempt;
  private AttemptSettings settings;

  /** No overrides: of an application of which neither type nor tags are known. */
  public ApplicationOverrides(PolicyConfiguration configuration) {
    this(configuration, null, null);
  }

  /**
   * @param type of the application; may be null
   * @param tags all tags of the application; may be null
   */
  public ApplicationOverrides(PolicyConfiguration configuration, String type, Collection<String> tags) {
    this.configuration = configuration;
    this.settings = configuration.settings().attempts();
    this.exempt = configuration.isExempt(type);
    if (configuration.allowsOverrides() && tags != null) {
      // Sorted, so that the effect does not depend on the order in which YARN lists the tags.
      new TreeSet<>(tags).stream().filter(tag -> tag.startsWith(PREFIX)).forEach(this::read);
    }
  }

  private void read(String tag) {
    if (tag.equals(DISABLE)) {
      exempt = true;
    } else if (tag.startsWith(STARTING_TIMEOUT)) {
      String limit = PolicyProperty.MAX_STARTING_TIMEOUT.key();
      read(tag, PolicyProperty.STARTING_TIMEOUT, configuration.maxStartingTimeoutMillis(),
          configuration.inEffect().get(limit) + " (" + limit + ")",
          millis -> settings = settings.withStartingTimeout(millis));
    } else if (tag.startsWith(MIN_EXECUTORS)) {
      long most = configuration.maxMinExecutors();
      read(tag, PolicyProperty.MIN_EXECUTORS, most,
          most + " (" + configuration.maxMinExecutorsReason() + ")",
          executors -> settings = settings.withMinExecutors((int) executors));
    } else {
      problem(tag, DISABLE + ", " + STARTING_TIMEOUT + "<duration>, " + MIN_EXECUTORS + "<n>");
    }
  }

  private void read(
      String tag, PolicyProperty property, long most, String limit, LongConsumer allowed) {
    String text = tag.substring(tag.indexOf('=') + 1);
    if (!property.allows(text)) {
      problem(tag, property.allowed());
      return;
    }
    long value = ((Number) property.meaning(text)).longValue();
    if (value > most) {
      problem(tag, "at most " + limit + " in this queue");
    } else {
      allowed.accept(value);
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

  /** The settings of its attempts: those of the queue, except the ones that its tags override. */
  public AttemptSettings settings() {
    return settings;
  }

  /** The problems of its tags, one sentence each. */
  public List<String> problems() {
    return problems;
  }
}
