/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.command.remote.Addresses;
import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.ResourceManagers;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** A recording that a live ResourceManager has: the applications that ended, and its cluster. */
final class LiveTrace {

  private static final String APPS = "/ws/v1/cluster/apps?states=FINISHED,FAILED,KILLED";
  private static final String METRICS = "/ws/v1/cluster/metrics";
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
   * @throws IOException with a message for people, if it does not answer or has no such applications
   */
  static Trace read(String addresses, Trace.Selection selection, Trace.Assumptions assumptions)
      throws IOException {
    try {
      ResourceManagers managers = new ResourceManagers(Addresses.find(addresses, new Configuration(false)),
          new Configuration(), TIMEOUT_SECONDS, notice -> { });
      Trace apps = Trace.select(addresses,
          new ApplicationsTrace(selection.queue(), assumptions).read(managers.ask(APPS)), selection,
          assumptions);
      JsonNode metrics = managers.ask(METRICS).path("clusterMetrics");
      int nodes = metrics.path("activeNodes").asInt();
      long memory = metrics.path("totalMB").asLong();
      if (nodes <= 0 || memory < nodes) {
        return apps;
      }
      return new Trace(
          apps.jobs(), nodes, (int) Math.min(Integer.MAX_VALUE, memory / nodes), apps.leftOut(),
          apps.remarks());
    } catch (Problem e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
