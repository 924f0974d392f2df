/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.headroom.ModelledCluster.App;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.core.takeback.BlockedApplication;
import io.github.dripfeed.core.takeback.Loss;
import io.github.dripfeed.core.takeback.RoomNeed;
import io.github.dripfeed.core.takeback.RoomNode;
import io.github.dripfeed.core.takeback.Standstill;
import io.github.dripfeed.core.takeback.TakeBackRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Take-back in a modelled cluster: one round of it per turn of the monitor. */
final class TakeBackModel {

  private final ModelledCluster cluster;
  private final int after;
  private final Standstill standstill = new Standstill();
  int taken;

  TakeBackModel(ModelledCluster cluster, int after) {
    this.cluster = cluster;
    this.after = after;
  }

  void round() {
    List<RoomNode> nodes = new ArrayList<>();
    for (int free : cluster.free()) {
      nodes.add(new RoomNode(ResourceVector.of(free), null));
    }
    List<BlockedApplication> blocked = new ArrayList<>();
    Set<Object> present = new HashSet<>();
    Set<Object> running = new HashSet<>();
    boolean demand = false;
    for (App app : cluster.order.bySubmission()) {
      if (app.driverNode >= 0) {
        present.add(app);
      }
      boolean progressed = !app.executorNodes.isEmpty() || app.done > 0;
      if (progressed) {
        running.add(app);
        demand |= app.pending(cluster.now) > 0;
      }
      if (cluster.isBlocked(app)) {
        app.blockedSince = app.blockedSince == 0 ? cluster.now : app.blockedSince;
        BlockedApplication each = blocked(app, nodes).since(cluster.now - app.blockedSince, after);
        blocked.add(demand ? each.behindDemand() : each);
      } else {
        app.blockedSince = 0;
      }
    }
    Standstill.Scene scene = new Standstill.Scene(blocked, present, running, !running.isEmpty());
    Loss loss = standstill.next(scene, new TakeBackRule(nodes), cluster.now);
    if (loss != null) {
      standstill.took(loss, scene, cluster.now);
      taken++;
      cluster.takeBack((App) loss.application());
    }
    if (standstill.isHolding()) {
      cluster.order.holdStarts("", false, cluster.now + 5);
    } else {
      cluster.order.releaseStarts("");
    }
  }

  private BlockedApplication blocked(App app, List<RoomNode> nodes) {
    ResourceVector driver = ResourceVector.of(app.driver);
    Loss loss = app.lost < app.mostLost
        ? new Loss(app, nodes.get(app.driverNode), driver, driver, List.of()) : null;
    return new BlockedApplication(app,
        new RoomNeed(app, ResourceVector.of(app.executor), ResourceVector.of(0), List.of()), loss, false);
  }
}
