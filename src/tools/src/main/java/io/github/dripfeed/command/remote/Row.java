// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.wire.Wire.Column;

/** A row of a table. What it lacks is unknown: empty, or -1. Immutable. */
public final class Row {

  private final JsonNode json;

  public Row(JsonNode json) {
    this.json = json;
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

  /** The same with one more column. */
  public Row with(String column, String value) {
    return json.isObject() ? new Row(((ObjectNode) json.deepCopy()).put(column, value)) : this;
  }

  public JsonNode json() {
    return json;
  }
}
