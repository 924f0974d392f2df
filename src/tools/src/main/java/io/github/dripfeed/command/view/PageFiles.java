// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.view;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/** The files of the page, which are in the jar. Immutable. */
final class PageFiles {

  private static final int BUFFER = 1 << 13;

  private final Map<String, byte[]> files = new HashMap<>();

  PageFiles() throws IOException {
    for (String name : new String[] {"view.html", "view.css", "view.js", "chart.js", "icon.svg"}) {
      files.put(name, read(name));
    }
  }

  private static byte[] read(String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the jar lacks " + name);
      }
      byte[] buffer = new byte[BUFFER];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        bytes.write(buffer, 0, count);
      }
    }
    return bytes.toByteArray();
  }

  /** The content of a file; null if there is no such file. */
  byte[] content(String name) {
    byte[] content = files.get(name);
    return content == null ? null : content.clone();
  }

  static String type(String name) {
    switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html":
        return "text/html; charset=utf-8";
      case "css":
        return "text/css; charset=utf-8";
      case "js":
        return "text/javascript; charset=utf-8";
      case "svg":
        return "image/svg+xml";
      default:
        return "application/json; charset=utf-8";
    }
  }
}
