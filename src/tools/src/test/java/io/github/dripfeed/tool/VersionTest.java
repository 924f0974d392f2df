// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version is shown where an old jar was left beside the new one. */
class VersionTest {

  private static final String CLASS = "io/github/dripfeed/tool/Version.class";

  @TempDir
  private Path folder;

  @Test
  void versionIsThatOfTheJarThatTheClassesComeFrom() throws Exception {
    Path other = jar("other.jar", "Another library", "9.9", false);
    Path old = jar("old.jar", "Dripfeed", "1.0", true);
    Path latest = jar("latest.jar", "Dripfeed", "2.0", true);
    assertThat(shown(other, old, latest)).isEqualTo("1.0");
    assertThat(shown(other, latest, old)).isEqualTo("2.0");
    assertThat(shown(latest, other, old)).isEqualTo("2.0");
  }

  @Test
  void versionOfAnotherJarIsNotShown() throws Exception {
    assertThat(shown(jar("other.jar", "Another library", "9.9", true))).isEmpty();
  }

  private String shown(Path... jars) throws Exception {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      Class<?> version = loader.loadClass(Version.class.getName());
      String from = version.getProtectionDomain().getCodeSource().getLocation().getPath();
      String number = (String) version.getMethod("number").invoke(null);
      assertThat(number.isEmpty() || from.endsWith(number.equals("1.0") ? "old.jar" : "latest.jar"))
          .as("%s is of %s", number, from).isTrue();
      return number;
    }
  }

  private Path jar(String name, String title, String version, boolean withClass) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path jar = folder.resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        InputStream in = Version.class.getResourceAsStream("/" + CLASS)) {
      if (withClass) {
        out.putNextEntry(new JarEntry(CLASS));
        in.transferTo(out);
      }
    }
    return jar;
  }
}
