// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.command.remote.ResourceManagers;
import io.github.dripfeed.tool.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import org.apache.hadoop.conf.Configuration;

/** A recording that a live ResourceManager has: the applications that ended, and its cluster. */
final class LiveTrace {

  private static final String APPS = "/ws/v1/cluster/apps?states=FINISHED,FAILED,KILLED";
  private static final String NODES = "/ws/v1/cluster/nodes?states=RUNNING";
  private static final int TIMEOUT_SECONDS = 60;

  private LiveTrace() {
  }

  /** Whether a trace is named by the address of a ResourceManager instead of a file. */
  static boolean isAddress(String trace) {
    return trace.startsWith("http://") || trace.startsWith("https://");
  }

  /**
   * Reads the applications that ended and that the ResourceManager still knows.
   *
   * @param addresses of the ResourceManager, or of all of an HA pair, separated by commas
   * @param withCluster whether to read its live nodes, too
   * @throws IOException with a message for people, if it does not answer or has no such applications
   */
  static Trace read(String addresses, Trace.Selection selection, Trace.Assumptions assumptions,
      boolean withCluster) throws IOException {
    try {
      ResourceManagers managers = new ResourceManagers(
          addresses, new Configuration(), TIMEOUT_SECONDS, notice -> { }, progress -> { });
      Trace apps = Trace.select(addresses,
          new ApplicationsTrace(selection.queue(), assumptions).read(managers.ask(APPS)), selection,
          assumptions);
      return withCluster ? on(managers.ask(NODES), addresses, apps) : apps;
    } catch (Problem e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The same applications on as many nodes as there are without labels, since none has labels here. */
  static Trace on(JsonNode answer, String addresses, Trace apps) throws IOException {
    LongSummaryStatistics memory = new LongSummaryStatistics();
    int labelled = 0;
    for (JsonNode node : ApplicationsTrace.elements(answer.at("/nodes/node"))) {
      if (isLabelled(node)) {
        labelled++;
      } else {
        memory.accept(node.path("usedMemoryMB").asLong() + node.path("availMemoryMB").asLong());
      }
    }
    int nodes = (int) memory.getCount();
    long mean = nodes == 0 ? 0 : memory.getSum() / nodes;
    if (mean <= 0) {
      throw new IOException(addresses + " has no running nodes with memory and without labels: name a"
          + " cluster with --nodes");
    }
    List<String> leftOut = new ArrayList<>(apps.leftOut());
    if (labelled > 0) {
      leftOut.add(labelled + " nodes with labels");
    }
    List<String> remarks = new ArrayList<>(apps.remarks());
    if (memory.getMin() < memory.getMax()) {
      remarks.add("The " + nodes + " nodes have " + memory.getMin() + " to " + memory.getMax()
          + " MB, and are replayed as nodes of their mean, " + mean + " MB (--nodes says otherwise)");
    }
    return new Trace(apps.format(), apps.jobs(), nodes, (int) Math.min(Integer.MAX_VALUE, mean), leftOut,
        remarks);
  }

  private static boolean isLabelled(JsonNode node) {
    JsonNode labels = node.path("nodeLabels");
    return labels.isArray() ? !labels.isEmpty() : !labels.asText("").isEmpty();
  }
}
