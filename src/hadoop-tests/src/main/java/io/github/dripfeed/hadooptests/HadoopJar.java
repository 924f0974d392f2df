// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.Test;

/** The published jar with the tests of YARN's ResourceManager. */
final class HadoopJar {

  private static final String TESTS = "org/apache/hadoop/yarn/server/resourcemanager/scheduler/";

  /** Excluded tests and the reasons: parts of names below the package of schedulers. */
  static final Map<String, String> LEFT_OUT = new TreeMap<>(Map.of(
      "fair/", "the Fair Scheduler",
      "fifo/", "the FIFO scheduler, which has no leaf queues",
      "policy/", "the stock policies themselves, made by hand",
      "capacity/policy/", "the order of queues, not of applications",
      "capacity/placement/", "in which queue an application is; no scheduler",
      "capacity/conf/", "where the configuration is stored; some need a ZooKeeper or HDFS",
      "capacity/TestCapacitySchedulerSchedulingRequestUpdate", "fails now and then on stock too: it ends an"
          + " attempt and expects nothing pending, when the next attempt may be there already",
      "distributed/", "opportunistic containers, which no queue orders"));

  private HadoopJar() {
  }

  private static JarFile open() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (entry.matches(".*hadoop-yarn-server-resourcemanager-[0-9.]+-tests\\.jar")) {
        return new JarFile(entry);
      }
    }
    throw new IllegalStateException("The ResourceManager's tests are not on the class path");
  }

  /** Every class with tests of schedulers but the excluded ones, by name. */
  static List<Class<?>> testClasses() throws IOException, ClassNotFoundException {
    List<Class<?>> classes = new ArrayList<>();
    try (JarFile jar = open()) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
        String name = entries.nextElement().getName();
        if (name.matches(TESTS + "[^$]*\\.class")
            && LEFT_OUT.keySet().stream().noneMatch(left -> name.startsWith(TESTS + left))) {
          Class<?> found = Class.forName(name.replace(".class", "").replace('/', '.'), false,
              HadoopJar.class.getClassLoader());
          if (hasTests(found)) {
            classes.add(found);
          }
        }
      }
    }
    classes.sort((a, b) -> a.getName().compareTo(b.getName()));
    return classes;
  }

  private static boolean hasTests(Class<?> found) {
    if (!Modifier.isAbstract(found.getModifiers())) {
      for (Method method : found.getMethods()) {
        if (method.isAnnotationPresent(Test.class)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Every file that is not a class: tests look for it in a folder, change it, and add to it. */
  static void unpackFiles(Path folder) throws IOException {
    Pattern left = Pattern.compile("META-INF/.*|.*\\.class|.*/");
    try (JarFile jar = open()) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
        JarEntry entry = entries.nextElement();
        if (!left.matcher(entry.getName()).matches()) {
          Path file = folder.resolve(entry.getName());
          Files.createDirectories(file.getParent());
          Files.copy(jar.getInputStream(entry), file, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
