// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What Dripfeed shows of itself: the tables of its MBean, read one after the other. All times are
 * milliseconds since the epoch, and -1 if they are unknown. For one thread.
 */
public final class Reading {

  public final URI address;
  /** The version of Dripfeed; empty if it is unknown. */
  public final String version;
  /** When it was read, on the ResourceManager's clock. */
  public final long time;
  /** When Dripfeed was loaded. */
  private final long startTime;
  /** Since when its ResourceManager is the active one. */
  public final long activeSince;
  private final JsonNode bean;
  /** Each table is split once, however many queues there are. */
  private final Map<Attribute, Map<String, List<Row>>> byQueue = new EnumMap<>(Attribute.class);

  Reading(URI address, long activeSince, JsonNode bean) {
    this.address = address;
    this.activeSince = activeSince;
    this.bean = bean;
    version = bean(Attribute.VERSION).asText("");
    time = bean(Attribute.TIME).asLong(System.currentTimeMillis());
    startTime = bean(Attribute.START_TIME).asLong(-1);
  }

  /** Since when the events of a table tell everything. A standby records nothing. */
  public long knownSince(Attribute table) {
    Attribute kept = kept(table);
    // In the order in which they were recorded: the first is the next to be forgotten.
    List<Row> events = rows(kept);
    boolean isComplete = events.isEmpty() || events.get(0).number(Column.SEQUENCE) <= 1
        || kept != Attribute.EVENTS && bean(Attribute.valueOf("FORGOTTEN_" + kept.name())).asLong(-1) == 0;
    return Math.max(isComplete ? startTime : events.get(0).number(Column.TIME), activeSince);
  }

  /** A ResourceManager with an older Dripfeed has all in one table. */
  private Attribute kept(Attribute table) {
    return bean.has(table.toString()) ? table : Attribute.EVENTS;
  }

  /**
   * What cannot be known of the time since a moment, which is -1 for all times; empty if all is. A standby
   * does not say when it was the active one, so the events that it told close no gap for certain.
   */
  public String gap(List<String> standbys, Attribute kind, long since) {
    long known = knownSince(kind);
    if (known < 0 || since >= known) {
      return "";
    }
    String why = known == activeSince ? address + " has been active since "
        : known == startTime ? "Dripfeed was loaded at "
            : "Kept are the last " + Text.count(events(kind).size(), "event")
                + (kind == Attribute.EVENTS ? "" : " of this kind") + ", since ";
    return why + Times.moment(known, time) + ". What was before is "
        + (standbys.isEmpty() ? "" : "shown as far as " + String.join(", ", standbys)
            + " on standby still has it; all of it is ")
        + "in the log of the ResourceManager that was active then (io.github.dripfeed.StateLog)";
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

  /** The events of all tables: before the oldest of the first, only those that are kept longer. */
  public List<Row> allKept() {
    return events(Attribute.EVENTS, Attribute.PROMOTIONS, Attribute.ENDED_WHILE_STARTING);
  }

  /** The events of these tables that are still kept, and perhaps others, oldest first. */
  public List<Row> events(Attribute... tables) {
    Map<Long, Row> bySequence = new TreeMap<>();
    for (Attribute table : tables) {
      rows(kept(table)).forEach(event -> bySequence.put(event.number(Column.SEQUENCE), event));
    }
    // Some are recorded a round of the monitor after they happened.
    return bySequence.values().stream().sorted(Comparator.comparingLong(event -> event.number(Column.TIME)))
        .collect(Collectors.toList());
  }

  private JsonNode bean(Attribute attribute) {
    return bean.path(attribute.toString());
  }

  public static List<Row> where(List<Row> table, Predicate<Row> condition) {
    return table.stream().filter(condition).collect(Collectors.toList());
  }
}
