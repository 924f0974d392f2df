// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import org.apache.hadoop.metrics2.MetricsSink;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsAnnotations;

/** Prepares the metrics of queues as the real system does, and keeps and serves none of them. */
final class ThrowawayMetrics extends MetricsSystem {

  @Override
  public MetricsSystem init(String prefix) {
    return this;
  }

  @Override
  public <T> T register(String name, String description, T source) {
    // Sets the fields of the source.
    MetricsAnnotations.newSourceBuilder(source).build();
    return source;
  }

  @Override
  public void unregisterSource(String name) {
    // None is registered.
  }

  @Override
  public MetricsSource getSource(String name) {
    return null;
  }

  @Override
  public <T extends MetricsSink> T register(String name, String description, T sink) {
    return sink;
  }

  @Override
  public void register(Callback callback) {
    // Never called back.
  }

  @Override
  public void publishMetricsNow() {
    // Nothing to publish.
  }

  @Override
  public boolean shutdown() {
    return false;
  }

  @Override
  public void start() {
    // Never started.
  }

  @Override
  public void stop() {
    // Never started.
  }

  @Override
  public void startMetricsMBeans() {
    // Has none.
  }

  @Override
  public void stopMetricsMBeans() {
    // Has none.
  }

  @Override
  public String currentConfig() {
    return "";
  }
}
