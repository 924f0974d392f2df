// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** JSON in ASCII alone, so that nothing in it controls a terminal, and no encoding breaks it. */
public final class JsonText {

  private JsonText() {
  }

  /** A document over several lines. */
  public static String indented(Object document) {
    return write(document, mapper().enable(SerializationFeature.INDENT_OUTPUT));
  }

  /** A document on one line. */
  public static String oneLine(Object document) {
    return write(document, mapper());
  }

  private static ObjectMapper mapper() {
    ObjectMapper mapper = new ObjectMapper();
    mapper.getFactory().enable(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature());
    return mapper;
  }

  private static String write(Object document, ObjectMapper mapper) {
    try {
      return mapper.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
