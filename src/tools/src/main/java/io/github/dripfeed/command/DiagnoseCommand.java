// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Cluster;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code diagnose}: whether drivers without executors hold up the queues of a cluster. */
@Command(name = "diagnose",
    description = {
        "Whether AMs without executors hold up queues; also without Dripfeed.",
        "Says for each queue of any ResourceManager how many applications have nothing but their AM,"
            + " what these hold, who waits and for which limit of YARN's, whether the queue stands still,"
            + " and what would help."},
    footer = "Exit codes: 0 nothing is wrong, 1 something would help, 6 a queue stands still, 2 wrong call,"
        + " 3 no active ResourceManager can be reached, 4 not logged in or not allowed, 5 it has no"
        + " Capacity Scheduler, 130 --watch ended by Ctrl-C")
final class DiagnoseCommand extends WatchingTool {

  static final int MOST_NAMED = 10;
  /** YARN adds up what an application has held every three seconds. */
  private static final long SLACK_SECONDS = 4;

  /** Since when an application has been seen with its driver alone. */
  private Map<String, Long> firstSeen = new HashMap<>();

  @Override
  int show(QueueFilter filter) throws Problem {
    Cluster cluster = resourceManagers.cluster();
    Map<String, Long> before = firstSeen;
    firstSeen = new HashMap<>();
    List<Diagnosis> all = filter.of(new ArrayList<>(cluster.leaves.keySet()), path -> path, "").stream()
        .map(path -> new Diagnosis(path, cluster, row -> aloneSeconds(row, before, cluster.time)))
        .collect(Collectors.toList());
    int exitCode = all.stream().mapToInt(each -> each.code.exitCode).max().orElse(0);
    show(JsonText.document("exitCode", exitCode, "resourceManager", cluster.address.toString(),
        "hadoop", cluster.hadoop, "time", cluster.time,
        "queues", all.stream().map(Diagnosis::document).collect(Collectors.toList())), lines(all, cluster));
    return exitCode;
  }

  /** Where an application has had nothing else, what it has held over its life is its driver. */
  long aloneSeconds(Row application, Map<String, Long> before, long now) {
    String id = application.text("id");
    long since = before.getOrDefault(id, now);
    firstSeen.put(id, since);
    long age = TimeUnit.MILLISECONDS.toSeconds(now - application.number("launchTime"));
    long held = application.number("memorySeconds") / Math.max(1, application.number("allocatedMB"));
    boolean isSinceLaunch = application.number("launchTime") > 0 && held <= age + SLACK_SECONDS;
    return Math.max(TimeUnit.MILLISECONDS.toSeconds(now - since), isSinceLaunch ? Math.min(held, age) : 0);
  }

  private List<String> lines(List<Diagnosis> all, Cluster cluster) {
    List<String> lines = new ArrayList<>();
    lines.add(terminal.in(Terminal.Colour.QUIET, cluster.address + ", Hadoop "
        + Text.safe(cluster.hadoop) + ", " + Times.moment(cluster.time, cluster.time)));
    List<String> fine = new ArrayList<>();
    for (Diagnosis each : all) {
      List<String> sentences = each.sentences();
      if (each.code == Diagnosis.Code.FINE && sentences.isEmpty()) {
        fine.add(each.queue);
        continue;
      }
      lines.add("");
      lines.add(terminal.in(Terminal.Colour.TITLE, Text.safe(each.queue)) + ": " + terminal.in(
          each.code == Diagnosis.Code.FINE ? Terminal.Colour.QUIET : Terminal.Colour.BAD, each.code.words));
      sentences.forEach(sentence -> terminal.wrap(lines, "  ", null, sentence));
    }
    if (!fine.isEmpty()) {
      lines.add("");
      terminal.wrap(lines, "", null, "Nothing is wrong in " + Text.some(fine, MOST_NAMED));
    }
    return lines;
  }
}
