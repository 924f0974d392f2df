// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What Dripfeed shows of itself: the tables of its MBean, read one after the other. For one thread. */
public final class Reading {

  private final URI address;
  private final long activeSince;
  private final JsonNode bean;
  /** Each table is split once, however many queues there are. */
  private final Map<Attribute, Map<String, List<Row>>> byQueue = new EnumMap<>(Attribute.class);

  Reading(URI address, long activeSince, JsonNode bean) {
    this.address = address;
    this.activeSince = activeSince;
    this.bean = bean;
  }

  public URI address() {
    return address;
  }

  /** The version of Dripfeed; empty if it is unknown. */
  public String version() {
    return bean(Attribute.VERSION).asText("");
  }

  /** When it was read, on the ResourceManager's clock. All times are milliseconds since the epoch. */
  public long time() {
    return bean(Attribute.TIME).asLong(System.currentTimeMillis());
  }

  /** When Dripfeed was loaded; -1 if that is unknown. */
  public long startTime() {
    return bean(Attribute.START_TIME).asLong(-1);
  }

  /** Since when its ResourceManager is the active one; -1 if that is unknown. */
  public long activeSince() {
    return activeSince;
  }

  /** Since when the events of a table tell everything; -1 if unknown. A standby records nothing. */
  public long knownSince(Attribute table) {
    Attribute kept = kept(table);
    // In the order in which they were recorded: the first is the next to be forgotten.
    List<Row> events = rows(kept);
    boolean isComplete = events.isEmpty() || events.get(0).number(Column.SEQUENCE) <= 1
        || kept != Attribute.EVENTS && bean(Attribute.valueOf("FORGOTTEN_" + kept.name())).asLong(-1) == 0;
    return Math.max(isComplete ? startTime() : events.get(0).number(Column.TIME), activeSince);
  }

  /** A ResourceManager with an older Dripfeed has all in one table. */
  private Attribute kept(Attribute table) {
    return bean.has(table.toString()) ? table : Attribute.EVENTS;
  }

  public List<Row> queues() {
    return rows(Attribute.QUEUES);
  }

  public List<Row> rows(Attribute table) {
    List<Row> rows = new ArrayList<>();
    bean(table).forEach(row -> rows.add(new Row(row)));
    return rows;
  }

  public List<Row> rows(Attribute table, String queue) {
    return byQueue.computeIfAbsent(table, all -> rows(all).stream()
        .collect(Collectors.groupingBy(row -> row.text(Column.QUEUE))))
        .getOrDefault(queue, Collections.emptyList());
  }

  /** Whether nobody starts or waits in the queue. Tables end somewhere; the queue's row counts all. */
  public boolean isIdle(Row queue) {
    String path = queue.text(Column.QUEUE);
    return queue.number(Column.ACCEPTED) <= 0 && queue.number(Column.STARTING) <= 0
        && queue.number(Column.PENDING_ACTIVATION) <= 0 && rows(Attribute.STARTING, path).isEmpty()
        && rows(Attribute.LINE, path).isEmpty() && rows(Attribute.PENDING, path).isEmpty();
  }

  /** The events of a table that are still kept, and perhaps others, oldest first. */
  public List<Row> events(Attribute table) {
    return inOrder(rows(kept(table)));
  }

  /** Some are recorded a round of the monitor after they happened. */
  private static List<Row> inOrder(Collection<Row> events) {
    List<Row> sorted = new ArrayList<>(events);
    sorted.sort(Comparator.comparingLong((Row event) -> event.number(Column.TIME))
        .thenComparingLong(event -> event.number(Column.SEQUENCE)));
    return sorted;
  }

  /** The events of all tables: before the oldest of the first, only those that are kept longer. */
  public List<Row> allKept() {
    Map<Long, Row> bySequence = new HashMap<>();
    for (Attribute table : new Attribute[] {
        Attribute.EVENTS, Attribute.PROMOTIONS, Attribute.ENDED_WHILE_STARTING}) {
      rows(kept(table)).forEach(event -> bySequence.put(event.number(Column.SEQUENCE), event));
    }
    return inOrder(bySequence.values());
  }

  private JsonNode bean(Attribute attribute) {
    return bean.path(attribute.toString());
  }

  public static List<Row> where(List<Row> table, Predicate<Row> condition) {
    return table.stream().filter(condition).collect(Collectors.toList());
  }
}
