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
import java.util.List;
import java.util.TreeSet;

/**
 * What the queue says of an application's type, and the application of itself by its tags (contract,
 * section 2). A tag that is wrong is ignored, and never fails the application.
 */
public final class ApplicationOverrides {

  private static final String PREFIX = "stateaware.";
  private static final String DISABLE = PREFIX + "disable";
  private static final String STARTING_TIMEOUT = PREFIX + "starting-timeout=";
  private static final String MIN_EXECUTORS = PREFIX + "min-executors=";
  private static final int SHOWN = 60;

  private final List<String> problems = new ArrayList<>();
  private boolean exempt;
  private Long startingTimeout;
  private Integer minExecutors;

  private ApplicationOverrides() {
  }

  /** Nothing out of the ordinary. */
  public static ApplicationOverrides none() {
    return new ApplicationOverrides();
  }

  /**
   * @param type of the application; may be null
   * @param tags all tags of the application; may be null
   */
  public static ApplicationOverrides of(PolicyConfiguration configuration, String type,
      Collection<String> tags) {
    ApplicationOverrides steering = new ApplicationOverrides();
    steering.exempt = configuration.isExempt(type);
    if (configuration.allowsOverrides() && tags != null) {
      // Sorted, so that the same tags mean the same whatever the order they come in.
      for (String tag : new TreeSet<>(tags)) {
        if (tag.startsWith(PREFIX)) {
          steering.read(tag, configuration);
        }
      }
    }
    return steering;
  }

  private void read(String tag, PolicyConfiguration configuration) {
    if (tag.equals(DISABLE)) {
      exempt = true;
    } else if (tag.startsWith(STARTING_TIMEOUT)) {
      readStartingTimeout(tag, tag.substring(STARTING_TIMEOUT.length()),
          configuration.maxStartingTimeoutMillis());
    } else if (tag.startsWith(MIN_EXECUTORS)) {
      readMinExecutors(tag, tag.substring(MIN_EXECUTORS.length()), configuration);
    } else {
      problem(tag, DISABLE + ", " + STARTING_TIMEOUT + "<duration>, " + MIN_EXECUTORS + "<n>");
    }
  }

  private void readStartingTimeout(String tag, String value, long longest) {
    if (!PolicyProperty.STARTING_TIMEOUT.allows(value)) {
      problem(tag, PolicyProperty.STARTING_TIMEOUT.allowed());
    } else if (PolicyProperty.durationMillis(value) > longest) {
      problem(tag, "at most " + longest + " ms (max-starting-timeout) in this queue");
    } else {
      startingTimeout = PolicyProperty.durationMillis(value);
    }
  }

  private void readMinExecutors(String tag, String value, PolicyConfiguration configuration) {
    if (!PolicyProperty.MIN_EXECUTORS.allows(value)) {
      problem(tag, PolicyProperty.MIN_EXECUTORS.allowed());
    } else if (Integer.parseInt(value) > configuration.mostMinExecutors()) {
      problem(tag, "at most " + configuration.mostMinExecutors() + " ("
          + configuration.mostMinExecutorsReason() + ") in this queue");
    } else {
      minExecutors = Integer.valueOf(value);
    }
  }

  private void problem(String tag, String allowed) {
    problems.add("tag '" + oneLine(tag) + "' is ignored: allowed is " + allowed);
  }

  /** Tags come from users: nothing of them may look like a line of the log's own, or fill it. */
  private static String oneLine(String tag) {
    String shown = tag.length() > SHOWN ? tag.substring(0, SHOWN) + "..." : tag;
    return shown.replaceAll("[^ -~]|[<>&]", "?");
  }

  /** Whether the application skips the drip. */
  public boolean isExempt() {
    return exempt;
  }

  /** The numbers of the queue, with those that the application has its own. */
  public AdmissionSettings appliedTo(AdmissionSettings queue) {
    AdmissionSettings own = queue;
    if (startingTimeout != null) {
      own = own.withStartingTimeout(startingTimeout);
    }
    if (minExecutors != null) {
      own = own.withMinExecutors(minExecutors);
    }
    return own;
  }

  /** What is wrong with its tags, a sentence for each. */
  public List<String> problems() {
    return problems;
  }
}
