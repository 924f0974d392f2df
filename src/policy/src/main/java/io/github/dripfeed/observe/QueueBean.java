// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import java.lang.management.ManagementFactory;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of one queue for JMX. Hadoop's own bean numbers the records of a source ({@code Bucket.7}),
 * so the buckets of histograms cannot be told apart there; here the name says which one it is ({@code
 * AcceptedSecondsBucket10}). It takes the place of Hadoop's bean, which removes it with the source. Safe
 * for use by any thread.
 */
final class QueueBean implements DynamicMBean {

  private static final Logger LOG = LoggerFactory.getLogger(QueueBean.class);

  /** Hadoop's page asks for each attribute on its own: all of one page are of one reading. */
  private static final long READING_MILLIS = 1000;
  private static final String TAG = "tag.";
  private static final String HOST = TAG + "Hostname";
  /** The prefix of all records, which attributes do without. */
  private static final String PREFIX = "Dripfeed";

  private final String name;
  private final MetricsSource source;
  private final LongSupplier wallMillis;
  private final Object host;
  /** All values, and when they were read. */
  private volatile Map.Entry<Long, Map<String, Object>> last;

  private QueueBean(String name, MetricsSource source, LongSupplier wallMillis, Object host) {
    this.name = name;
    this.source = source;
    this.wallMillis = wallMillis;
    this.host = host;
  }

  /**
   * Puts the bean in the place of the one that Hadoop has made for the source. If that cannot be found,
   * nothing changes.
   *
   * @param name the name of the registered source
   * @param wallMillis the wall clock, in milliseconds since 1970
   */
  static void replace(String name, MetricsSource source, LongSupplier wallMillis) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName bean = new ObjectName("Hadoop:service=ResourceManager,name=" + name);
      if (server.isRegistered(bean)) {
        Object host = server.getAttribute(bean, HOST);
        server.unregisterMBean(bean);
        server.registerMBean(new QueueBean(name, source, wallMillis, host), bean);
      }
    } catch (JMException | RuntimeException e) {
      LOG.warn("The JMX bean of {} keeps the names that Hadoop gives to its attributes", name, e);
    }
  }

  private Map<String, Object> values() {
    long now = wallMillis.getAsLong();
    Map.Entry<Long, Map<String, Object>> reading = last;
    // The wall clock may be set back.
    if (reading == null || Math.abs(now - reading.getKey()) >= READING_MILLIS) {
      reading = new SimpleImmutableEntry<>(now, read());
      last = reading;
    }
    return reading.getValue();
  }

  private Map<String, Object> read() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    Map<String, Object> values = new LinkedHashMap<>();
    for (MetricsRecord record : collector.getRecords()) {
      boolean isMain = record.name().equals(StateAwareQueueMetrics.RECORD);
      String bound = "";
      for (MetricsTag tag : record.tags()) {
        if (isMain) {
          values.put(TAG + tag.name(), tag.value());
        } else if (tag.name().equals(PrometheusHistogram.BOUND)) {
          bound = tag.value().replace("+", "");
        }
      }
      for (AbstractMetric metric : record.metrics()) {
        values.put(isMain ? metric.name()
            : record.name().substring(PREFIX.length()) + metric.name() + bound, metric.value());
      }
    }
    if (!values.isEmpty() && host != null) {
      values.put(HOST, host);
    }
    return values;
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    Object value = values().get(attribute);
    if (value == null) {
      throw new AttributeNotFoundException(attribute + " not found");
    }
    return value;
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    Map<String, Object> values = values();
    AttributeList found = new AttributeList();
    for (String attribute : attributes) {
      if (values.containsKey(attribute)) {
        found.add(new Attribute(attribute, values.get(attribute)));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(Attribute attribute) {
    throw new UnsupportedOperationException("Metrics are read-only");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    throw new UnsupportedOperationException("Metrics are read-only");
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException("Metrics have no operations");
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    List<MBeanAttributeInfo> attributes = new ArrayList<>();
    values().forEach((attribute, value) -> attributes.add(new MBeanAttributeInfo(
        attribute, value.getClass().getName(), attribute, true, false, false)));
    return new MBeanInfo(name, "A state-aware queue", attributes.toArray(new MBeanAttributeInfo[0]),
        null, null, null);
  }
}
