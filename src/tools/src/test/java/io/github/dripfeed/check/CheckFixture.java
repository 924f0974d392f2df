// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.dripfeed.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A configuration without fault, for tests to change and check. */
abstract class CheckFixture {

  static final String ROOT = "yarn.scheduler.capacity.root.";
  static final String QUEUE = ROOT + "a.";
  static final String OURS = QUEUE + "ordering-policy.state-aware.";
  static final String STATE_AWARE = "io.github.dripfeed.StateAwareOrderingPolicy";

  @TempDir
  Path folder;
  final Map<String, String> conf = new LinkedHashMap<>();
  final Map<String, String> site = new LinkedHashMap<>();
  String out;
  String err;

  @BeforeEach
  void aQueueWithoutFault() {
    conf.put(ROOT + "queues", "a, b");
    conf.put(QUEUE + "capacity", "10");
    conf.put(ROOT + "b.capacity", "90");
    conf.put(QUEUE + "ordering-policy", STATE_AWARE);
    conf.put(QUEUE + "maximum-am-resource-percent", "1.0");
    conf.put(OURS + "max-starting", "1");
  }

  final int check(String... options) throws Exception {
    List<String> args = new ArrayList<>(List.of("check"));
    args.addAll(List.of(options));
    args.add(write("capacity-scheduler.xml", conf));
    if (!site.isEmpty()) {
      args.add(write("site.xml", site));
    }
    return run(args.toArray(new String[0]));
  }

  final String write(String name, Map<String, String> properties) throws Exception {
    Configuration file = new Configuration(false);
    properties.forEach(file::set);
    Path path = folder.resolve(name);
    try (var stream = Files.newOutputStream(path)) {
      file.writeXml(stream);
    }
    return path.toString();
  }

  final int run(String... args) {
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    int exit = Commands.run(args, new PrintStream(outBytes, true, UTF_8),
        new PrintStream(errBytes, true, UTF_8));
    out = outBytes.toString(UTF_8);
    err = errBytes.toString(UTF_8);
    return exit;
  }
}
