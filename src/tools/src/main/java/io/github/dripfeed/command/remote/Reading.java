// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What Dripfeed shows of itself: the tables of its MBean, read one after the other. Immutable. */
public final class Reading {

  /** By time, and those of one moment as they were recorded. */
  private static final Comparator<Row> IN_ORDER =
      Comparator.comparingLong((Row event) -> event.number(Column.TIME)).thenComparingLong(
          event -> event.number(Column.SEQUENCE));

  private final Address address;
  private final long activeSince;
  private final JsonNode bean;

  Reading(Address address, long activeSince, JsonNode bean) {
    this.address = address;
    this.activeSince = activeSince;
    this.bean = bean;
  }

  /** The ResourceManager that was read. */
  public Address address() {
    return address;
  }

  /** The version of Dripfeed; empty if it is unknown. */
  public String version() {
    return bean(Attribute.VERSION).asText("");
  }

  /** When it was read, on the ResourceManager's clock: milliseconds since the epoch. */
  public long time() {
    return bean(Attribute.TIME).asLong(System.currentTimeMillis());
  }

  /** When Dripfeed was loaded, in milliseconds since the epoch; -1 if that is unknown. */
  public long startTime() {
    return bean(Attribute.START_TIME).asLong(-1);
  }

  /** Since when its ResourceManager is the active one, in milliseconds since the epoch; -1 if unknown. */
  public long activeSince() {
    return activeSince;
  }

  /**
   * Since when the events tell everything, in milliseconds since the epoch; -1 if that is unknown. While
   * another ResourceManager was the active one, this one has recorded nothing.
   */
  public long knownSince() {
    return knownSince(EventTable.EVENTS);
  }

  /** The same for one kind of events. */
  public long knownSince(EventTable kind) {
    // In the order in which they were recorded: the first is the next to be forgotten.
    List<Row> events = table(kept(kind));
    boolean isComplete = events.isEmpty() || events.get(0).number(Column.SEQUENCE) <= 1
        || kept(kind) == Attribute.PROMOTIONS && bean(Attribute.FORGOTTEN_PROMOTIONS).asLong(-1) == 0
        || kept(kind) == Attribute.ENDED_WHILE_STARTING
            && bean(Attribute.FORGOTTEN_ENDED_WHILE_STARTING).asLong(-1) == 0;
    return Math.max(isComplete ? startTime() : events.get(0).number(Column.TIME), activeSince);
  }

  /** A ResourceManager with an older Dripfeed has all in one table. */
  private Attribute kept(EventTable kind) {
    return bean.has(kind.attribute().toString()) ? kind.attribute() : Attribute.EVENTS;
  }

  public List<Row> queues() {
    return table(Attribute.QUEUES);
  }

  public List<Row> starting() {
    return table(Attribute.STARTING);
  }

  /** All lines, each in its order. */
  public List<Row> line() {
    return table(Attribute.LINE);
  }

  /** What stands in YARN's own list, before any line. */
  public List<Row> pending() {
    return table(Attribute.PENDING);
  }

  /**
   * The events that the ResourceManager still has, oldest first. Some are recorded a round of the monitor
   * after they happened.
   */
  public List<Row> events() {
    return events(EventTable.EVENTS);
  }

  /** The events of one kind, and perhaps others. */
  public List<Row> events(EventTable kind) {
    List<Row> events = table(kept(kind));
    events.sort(IN_ORDER);
    return events;
  }

  /** The events of all kinds: before the oldest of {@link #events()}, only those that are kept longer. */
  public List<Row> allKept() {
    Map<Long, Row> bySequence = new HashMap<>();
    for (EventTable kind : EventTable.values()) {
      table(kept(kind)).forEach(event -> bySequence.put(event.number(Column.SEQUENCE), event));
    }
    List<Row> events = new ArrayList<>(bySequence.values());
    events.sort(IN_ORDER);
    return events;
  }

  /**
   * Those since its ResourceManager is the active one: between them, nothing is missing. It may have been
   * the active one before, too.
   */
  public List<Row> eventsWithoutHole() {
    return where(events(), event -> event.number(Column.TIME) >= activeSince);
  }

  private JsonNode bean(Attribute attribute) {
    return bean.path(attribute.toString());
  }

  private List<Row> table(Attribute name) {
    List<Row> rows = new ArrayList<>();
    bean(name).forEach(row -> rows.add(new Row(row)));
    return rows;
  }

  /** The rows of this queue. */
  public static List<Row> of(String queue, List<Row> table) {
    return where(table, row -> row.is(Column.QUEUE, queue));
  }

  /** The rows that the condition holds for. */
  public static List<Row> where(List<Row> table, Predicate<Row> condition) {
    List<Row> rows = new ArrayList<>(table);
    rows.removeIf(condition.negate());
    return rows;
  }
}
