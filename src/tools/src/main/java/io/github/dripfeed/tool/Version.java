// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** The version of the jar, from its manifest; uses no class of Hadoop. */
public final class Version {

  /** The name of the project, which the manifest of its jar has. */
  private static final String TITLE = "Dripfeed";
  /** Read once: the class path of a client has hundreds of jars, and some manifests are long. */
  private static final List<String> NUMBERS = Collections.unmodifiableList(read());

  private Version() {
  }

  /** A line to print: the name, and the version if it is known. */
  public static String line() {
    String version = number();
    return TITLE + " " + (version.isEmpty() ? "(version unknown: not run from its jar)" : version);
  }

  /**
   * The version in the jar's manifest; empty if there is none. {@code yarn jar} unpacks the jar and loads
   * the classes from the folder, where a package knows no manifest; so the manifest is looked for by title.
   */
  public static String number() {
    return NUMBERS.isEmpty() ? "" : NUMBERS.get(0);
  }

  /** Those of all jars on the class path; the classes of the first are loaded. */
  public static List<String> numbers() {
    return NUMBERS;
  }

  private static List<String> read() {
    List<String> numbers = new ArrayList<>();
    try {
      for (URL url : Collections.list(
          Version.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
        try (InputStream in = url.openStream()) {
          Attributes attributes = new Manifest(in).getMainAttributes();
          if (TITLE.equals(attributes.getValue(Attributes.Name.IMPLEMENTATION_TITLE))) {
            String version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
            numbers.add(version == null ? "" : version);
          }
        }
      }
    } catch (IOException e) {
      // What cannot be read is not known.
      return numbers;
    }
    return numbers;
  }
}
