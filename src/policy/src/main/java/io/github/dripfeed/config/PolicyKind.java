// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The policy classes that a queue may name, and the properties that each of them supports. */
public enum PolicyKind {
  /** Applications are ordered by submission, or by priority and then submission. */
  SUBMISSION("io.github.dripfeed.StateAwareOrderingPolicy", PolicyProperty.PRIORITY_WEIGHT),
  /** Applications are ordered by their shares of the queue. */
  FAIR("io.github.dripfeed.StateAwareFairOrderingPolicy", PolicyProperty.ORDER);

  private final String policyClass;
  private final PolicyProperty unsupported;

  PolicyKind(String policyClass, PolicyProperty unsupported) {
    this.policyClass = policyClass;
    this.unsupported = unsupported;
  }

  /** The kind of this policy class, or null if the class is not part of Dripfeed. */
  public static PolicyKind of(String policyClass) {
    for (PolicyKind kind : values()) {
      if (kind.policyClass.equals(policyClass)) {
        return kind;
      }
    }
    return null;
  }

  /** The class name to set as {@code ordering-policy} of a queue. */
  public String policyClass() {
    return policyClass;
  }

  boolean supports(PolicyProperty property) {
    return property != unsupported;
  }

  /** The names of the supported properties, for messages. */
  String supported() {
    return Arrays.stream(PolicyProperty.values()).filter(this::supports).map(PolicyProperty::key)
        .collect(Collectors.joining(", "));
  }
}
