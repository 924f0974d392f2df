// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.version.Version;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The main class for {@code java -jar}, {@code hadoop jar} and {@code yarn jar}. It finds Hadoop's jars
 * if it was started without them, and so uses no Hadoop class itself.
 */
public final class Main {

  private static final int ERROR = 2;
  private static final String JSON = "--json";
  private static final List<String> WITHOUT_COMMAND = Arrays.asList("--help", "-h", "--version", JSON);
  private static final String[] FOLDERS =
      {"common", "common/lib", "hdfs", "hdfs/lib", "yarn", "yarn/lib"};

  private Main() {
  }

  /** @param args the command and its arguments */
  public static void main(String[] args)
      throws ReflectiveOperationException, IOException, URISyntaxException {
    System.exit(run(args));
  }

  static int run(String[] args)
      throws ReflectiveOperationException, IOException, URISyntaxException {
    List<String> all = Arrays.asList(args);
    boolean json = all.contains(JSON);
    if (all.isEmpty()) {
      System.err.println(usage());
      return ERROR;
    }
    if (all.stream().allMatch(WITHOUT_COMMAND::contains) && !all.stream().allMatch(JSON::equals)) {
      boolean help = all.contains("--help") || all.contains("-h");
      String text = help ? usage() : Version.line();
      System.out.println(!json ? text
          : "{\"exitCode\": 0, \"" + (help ? "usage" : "version") + "\": " + quoted(text) + "}");
      return 0;
    }
    if (isThere("org.apache.hadoop.yarn.conf.YarnConfiguration")) {
      return Commands.run(args, System.out, System.err);
    }
    List<URL> jars = hadoopJars(System.getenv("HADOOP_HOME"));
    if (jars.isEmpty()) {
      String jar = ownJar().getName();
      String call = jar + " " + (args[0].startsWith("-") ? "<command>" : args[0]) + " ...";
      return fail(json, "Hadoop's jars are needed, and HADOOP_HOME does not lead to them. Either\n"
          + "  yarn jar " + call + "\n"
          + "  HADOOP_HOME=<folder of Hadoop> java -jar " + call);
    }
    jars.add(0, ownJar().toURI().toURL());
    jars.add(0, configuration().toURI().toURL());
    return runWith(jars, args, json);
  }

  private static String usage() {
    return "Usage: yarn jar dripfeed-yarn.jar <command>\n"
        + "What goes on in a ResourceManager:\n"
        + "  status     the line of each queue: who is starting, who waits, and for what\n"
        + "  events     what happened: who started, ran or ended, when and why\n"
        + "  explain <application>\n"
        + "             where an application stands, why, and what would let it go\n"
        + "  view       the same as a page for a browser on this host\n"
        + "Without a ResourceManager:\n"
        + "  check [options] <capacity-scheduler.xml> [<yarn-site.xml>]\n"
        + "             checks a configuration before a ResourceManager reads it\n"
        + "Each of them:\n"
        + "  <command> --help\n"
        + "             explains a command and its exit codes\n"
        + "  --help     this text\n"
        + "  --version  the version of the jar\n"
        + "Also: hadoop jar ..., or HADOOP_HOME=<folder of Hadoop> java -jar ...";
  }

  /** By hand, since there is no library without Hadoop's jars. */
  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
        .replaceAll("\\p{Cntrl}", " ") + "\"";
  }

  private static int fail(boolean json, String problem) {
    if (json) {
      System.out.println("{\"exitCode\": " + ERROR + ", \"errors\": [" + quoted(problem) + "]}");
    } else {
      System.err.println(problem);
    }
    return ERROR;
  }

  private static int runWith(List<URL> jars, String[] args, boolean json)
      throws ReflectiveOperationException {
    // The parent excludes the application class path, which has the same classes without Hadoop's.
    ClassLoader parent = ClassLoader.getSystemClassLoader().getParent();
    try (URLClassLoader loader = new URLClassLoader(jars.toArray(new URL[0]), parent)) {
      Thread.currentThread().setContextClassLoader(loader);
      return (int) loader.loadClass("io.github.dripfeed.command.Commands")
          .getMethod("run", String[].class, java.io.PrintStream.class, java.io.PrintStream.class)
          .invoke(null, args, System.out, System.err);
    } catch (InvocationTargetException e) {
      return fail(json, "The command failed: " + e.getCause());
    } catch (IOException e) {
      return fail(json, "Hadoop's jars cannot be read: " + e.getMessage());
    }
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, Main.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static List<URL> hadoopJars(String home) throws MalformedURLException {
    List<URL> jars = new ArrayList<>();
    for (String folder : FOLDERS) {
      File[] files = home == null ? null : new File(home, "share/hadoop/" + folder).listFiles();
      if (files != null) {
        for (File file : files) {
          if (file.getName().endsWith(".jar")) {
            jars.add(file.toURI().toURL());
          }
        }
      }
    }
    return jars;
  }

  /** Where {@code yarn-site.xml} is; {@code yarn jar} has it on the class path already. */
  private static File configuration() {
    String folder = System.getenv("HADOOP_CONF_DIR");
    return folder == null || folder.isEmpty()
        ? new File(System.getenv("HADOOP_HOME"), "etc/hadoop") : new File(folder);
  }

  private static File ownJar() throws URISyntaxException {
    return new File(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
