// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON in ASCII alone, so that nothing in it controls a terminal, and no encoding breaks it. */
public final class JsonText {

  private JsonText() {
  }

  /** A document, indented over several lines or on one. */
  public static String of(Object document, boolean oneLine) {
    ObjectMapper mapper = new ObjectMapper();
    mapper.getFactory().enable(JsonWriteFeature.ESCAPE_NON_ASCII.mappedFeature());
    mapper.configure(SerializationFeature.INDENT_OUTPUT, !oneLine);
    try {
      return mapper.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A document of these names, each with its value behind it. */
  public static Map<String, Object> document(Object... namesAndValues) {
    Map<String, Object> document = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      document.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return document;
  }
}
