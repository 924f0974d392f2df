// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.tool.Tool;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class for {@code java -jar}, {@code hadoop jar} and {@code yarn jar}. It starts the commands in
 * a class loader of their own, in which the classes of this jar come before all that is on the class path:
 * on the host of a ResourceManager an older or newer Dripfeed may be there. It uses the JDK alone.
 */
public final class Main {

  private static final int ERROR = 2;
  private static final String[] FOLDERS = {"common", "common/lib", "hdfs", "hdfs/lib", "yarn", "yarn/lib"};

  private Main() {
  }

  /** @param args the command and its arguments */
  public static void main(String[] args)
      throws ReflectiveOperationException, IOException, URISyntaxException {
    List<URL> path = new ArrayList<>();
    path.add(Main.class.getProtectionDomain().getCodeSource().getLocation());
    if (Main.class.getClassLoader().getResource(Tool.HADOOP) != null) {
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        path.add(new File(entry).toURI().toURL());
      }
    } else if (System.getenv("HADOOP_HOME") != null) {
      addHadoop(System.getenv("HADOOP_HOME"), System.getenv("HADOOP_CONF_DIR"), path);
    }
    // The parent excludes the application class path.
    ClassLoader parent = ClassLoader.getSystemClassLoader().getParent();
    try (URLClassLoader loader = new URLClassLoader(path.toArray(new URL[0]), parent)) {
      Thread.currentThread().setContextClassLoader(loader);
      int exitCode = (int) loader.loadClass("io.github.dripfeed.command.Commands")
          .getMethod("run", String[].class, PrintStream.class, PrintStream.class)
          .invoke(null, args, System.out, System.err);
      System.exit(isLost() ? ERROR : exitCode);
    }
  }

  /** Where {@code yarn-site.xml} is, and the jars. */
  private static void addHadoop(String home, String configuration, List<URL> path) throws IOException {
    path.add((configuration == null || configuration.isEmpty() ? new File(home, "etc/hadoop")
        : new File(configuration)).toURI().toURL());
    for (String folder : FOLDERS) {
      File[] jars = new File(home, "share/hadoop/" + folder).listFiles((in, name) -> name.endsWith(".jar"));
      for (File jar : jars == null ? new File[0] : jars) {
        path.add(jar.toURI().toURL());
      }
    }
  }

  /**
   * Whether output that was to be kept could not be written, which is said. One who has read enough of a
   * pipe has lost nothing; where there is no Linux, nobody knows what it is.
   */
  private static boolean isLost() {
    try {
      Path output = Paths.get("/proc/self/fd/1");
      String file = System.out.checkError() ? Files.readSymbolicLink(output).toString() : "";
      if (file.startsWith("/")) {
        // Where standard output is closed, it is the first file that Java reads.
        System.err.println("The output, or a part of it, could not be written"
            + (Files.getPosixFilePermissions(output, LinkOption.NOFOLLOW_LINKS)
                .contains(PosixFilePermission.OWNER_WRITE) ? " to " + file + ": is there room left?"
                : ": standard output is closed"));
      }
      return file.startsWith("/");
    } catch (IOException e) {
      return false;
    }
  }
}
