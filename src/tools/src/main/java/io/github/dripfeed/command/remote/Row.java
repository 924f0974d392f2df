// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A row of a table, and what it says in words. What it lacks is unknown: empty, or -1. Immutable. */
public final class Row {

  private static final long GIGABYTE = 1024;

  @JsonValue
  public final JsonNode json;

  public Row(JsonNode json) {
    this.json = json;
  }

  /** One without columns. */
  public static Row none() {
    return new Row(JsonNodeFactory.instance.objectNode());
  }

  /** The value as text; empty if it is unknown. It may contain anything: applications choose names. */
  public String text(String column) {
    JsonNode value = json.path(column);
    return value.isValueNode() && !value.isNull() ? value.asText() : "";
  }

  public String text(Column column) {
    return text(column.toString());
  }

  /** The value as a number; -1 if it is unknown. */
  public long number(String column) {
    return json.path(column).asLong(-1);
  }

  public long number(Column column) {
    return number(column.toString());
  }

  public boolean is(Column column, String value) {
    return text(column).equals(value);
  }

  /** Why it waits; null if this version knows no such code. */
  public Wait code() {
    return Stream.of(Wait.values()).filter(each -> is(Column.CODE, each.name())).findFirst().orElse(null);
  }

  /** The same with one more column. */
  public Row with(String column, String value) {
    return json.isObject() ? new Row(((ObjectNode) json.deepCopy()).put(column, value)) : this;
  }

  /** Of a queue: {@code 1 starting (at most 1), 3 in line (3 for a slot, 0 for room), 2 running}. */
  public String summary() {
    long forSlot = Math.max(0, number(Column.WAITING_FOR_SLOT));
    long forRoom = Math.max(0, number(Column.WAITING_FOR_ROOM));
    String most = text(Column.MAX_STARTING);
    return number(Column.ACCEPTED) < 0
        ? "it has Dripfeed's policy, and no application yet, or the ResourceManager still recovers them"
        : number(Column.STARTING) + " starting" + (most.isEmpty() ? ""
        : is(Column.MAX_STARTING, "auto") ? " (as many as there is room for)" : " (at most " + most + ")")
        + ", " + number(Column.ACCEPTED) + " in line"
        + (forSlot + forRoom == 0 ? "" : " (" + forSlot + " for a slot, " + forRoom + " for room)")
        + ", " + number(Column.RUNNING) + " running" + some(Column.TAKEN_BACK, " taken back")
        + some(Column.PENDING_ACTIVATION, " in YARN's own list");
  }

  private String some(Column column, String what) {
    return number(column) <= 0 ? "" : ", " + number(column) + what;
  }

  /** Of a queue: its settings that are not the default, and how it moves. */
  public String facts() {
    return joined("; ", text(Column.CHANGED_SETTINGS), pace());
  }

  private static String joined(String separator, String... parts) {
    return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(separator));
  }

  /** Of an event: {@code ACCEPTED -> STARTING}. */
  public String change() {
    return text(Column.FROM) + " -> " + text(Column.TO);
  }

  /** Of an event: what happened, after how long, and why. */
  public String sentence() {
    long millis = number(Column.MILLISECONDS);
    return change() + (millis < 0 ? "" : " after " + Times.millis(millis))
        + (is(Column.REASON, "") ? "" : ", because " + text(Column.REASON));
  }

  /** What a driver asks for: {@code 2 GB, 1 vcore}; empty if it is unknown. */
  public String asked() {
    long memory = number(Column.MEMORY_MB);
    long vcores = number(Column.VCORES);
    return joined(", ",
        memory <= 0 ? "" : memory % GIGABYTE == 0 ? memory / GIGABYTE + " GB" : memory + " MB",
        vcores <= 0 ? "" : Text.count(vcores, "vcore"), text(Column.RESOURCES));
  }

  /** Of a queue: {@code the last 20 starts came 25 to 50 s apart}; empty if too few are known. */
  public String pace() {
    long starts = number(Column.STARTS_COUNTED);
    long most = number(Column.START_INTERVAL_HIGH_SECONDS);
    return starts <= 0 || most < 0 ? ""
        : (starts == 1 ? "the last start came " : "the last " + starts + " starts came ")
            + (most == 0 ? "less than 1 s"
                : Times.range(number(Column.START_INTERVAL_LOW_SECONDS), most)) + " apart";
  }
}
