// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The kinds of policy classes that a queue may name, and the properties that each of them supports. */
public enum PolicyKind {
  /** Applications are ordered by submission, or by priority and then submission. */
  SUBMISSION(PolicyProperty.PRIORITY_WEIGHT),
  /** Applications are ordered by their shares of the queue. */
  FAIR(PolicyProperty.ORDER);

  private final PolicyProperty unsupported;

  PolicyKind(PolicyProperty unsupported) {
    this.unsupported = unsupported;
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
