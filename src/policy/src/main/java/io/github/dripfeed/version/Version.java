// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.version;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** The version of the jar, from its manifest; uses no class of Hadoop. */
public final class Version {

  /** The name of the project, which the manifest of its jar has. */
  private static final String TITLE = "Dripfeed";

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
    try {
      List<URL> manifests =
          Collections.list(Version.class.getClassLoader().getResources("META-INF/MANIFEST.MF"));
      for (URL url : manifests) {
        try (InputStream in = url.openStream()) {
          Attributes attributes = new Manifest(in).getMainAttributes();
          if (TITLE.equals(attributes.getValue(Attributes.Name.IMPLEMENTATION_TITLE))) {
            // Of several versions on the class path, the classes of the first are loaded.
            String version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
            return version == null ? "" : version;
          }
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }
}
