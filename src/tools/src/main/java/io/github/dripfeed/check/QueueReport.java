// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The result of the check for one leaf queue. It has getters because it is also written as JSON. */
final class QueueReport {

  private final String queue;
  private final String orderingPolicy;
  private Map<String, String> properties = Collections.emptyMap();
  private final List<String> errors = new ArrayList<>();
  private final List<String> advice = new ArrayList<>();

  QueueReport(String queue, String orderingPolicy) {
    this.queue = queue;
    this.orderingPolicy = orderingPolicy;
  }

  /** The path of the queue. */
  public String getQueue() {
    return queue;
  }

  public String getOrderingPolicy() {
    return orderingPolicy;
  }

  /** The state-aware properties in effect; empty if the queue is not state-aware. */
  public Map<String, String> getProperties() {
    return properties;
  }

  void setProperties(Map<String, String> inEffect) {
    properties = inEffect;
  }

  /** The settings that a ResourceManager would refuse. */
  public List<String> getErrors() {
    return errors;
  }

  /** Settings that are allowed but should be changed. */
  public List<String> getAdvice() {
    return advice;
  }
}
