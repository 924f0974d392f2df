/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.check;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** The version of the jar; uses no class of Hadoop. */
final class Version {

  private static final String MAIN = "io.github.dripfeed.check.Main";

  private Version() {
  }

  /**
   * The version in the jar's manifest, as a line to print. {@code yarn jar} unpacks the jar and loads the
   * classes from the folder, where a package knows no manifest; so the manifest is looked for by name.
   */
  static String line() {
    String version = null;
    try {
      List<URL> manifests =
          Collections.list(Version.class.getClassLoader().getResources("META-INF/MANIFEST.MF"));
      for (URL url : manifests) {
        try (InputStream in = url.openStream()) {
          Attributes attributes = new Manifest(in).getMainAttributes();
          if (MAIN.equals(attributes.getValue(Attributes.Name.MAIN_CLASS))) {
            version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
          }
        }
      }
    } catch (IOException e) {
      version = null;
    }
    return "Dripfeed " + (version == null ? "(version unknown: not run from its jar)" : version);
  }
}
