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

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * What the properties of a queue mean to one of the policy classes, without making a policy: for those
 * who check a configuration before a ResourceManager reads it. Immutable.
 */
public final class PolicyProperties {

  /** The policy classes that a queue may name. */
  public static final List<String> POLICY_CLASSES = Collections.unmodifiableList(Arrays.asList(
      StateAwareOrderingPolicy.class.getName(), StateAwareFairOrderingPolicy.class.getName()));

  /** What the names of all properties begin with, below {@code ordering-policy.} of the queue. */
  public static final String PREFIX = PolicyProperty.PREFIX;

  private final Map<String, String> inEffect;
  private final List<String> problems;

  private PolicyProperties(Map<String, String> inEffect, List<String> problems) {
    this.inEffect = Collections.unmodifiableMap(inEffect);
    this.problems = Collections.unmodifiableList(problems);
  }

  /**
   * Reads the properties as the policy class would.
   *
   * @param policyClass one of {@link #POLICY_CLASSES}
   * @param properties those below {@code ordering-policy.} of the queue
   */
  public static PolicyProperties of(String policyClass, Map<String, String> properties) {
    PolicyProperty foreign = policyClass.equals(StateAwareOrderingPolicy.class.getName())
        ? PolicyProperty.PRIORITY_WEIGHT : PolicyProperty.ORDER;
    List<String> problems = new ArrayList<>();
    PolicyConfiguration configuration =
        PolicyConfiguration.read(properties, EnumSet.of(foreign), problems);
    return new PolicyProperties(configuration.inEffect(), problems);
  }

  /** Whether a property of this name exists below {@link #PREFIX}. */
  public static boolean isName(String name) {
    return PolicyProperty.named(name) != null;
  }

  /** Every property that has an effect, with its value, be it set or the default. */
  public Map<String, String> inEffect() {
    return inEffect;
  }

  /** What a ResourceManager would refuse, a sentence for each. */
  public List<String> problems() {
    return problems;
  }
}
