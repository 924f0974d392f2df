// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static io.github.dripfeed.fixture.MockCluster.GB;

import java.util.List;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** What drivers ask for. */
final class Requests {

  private Requests() {
  }

  /** Containers of 1 GB on a host or a rack. */
  static ResourceRequest at(String place, int count) {
    return at(place, count, GB);
  }

  static ResourceRequest at(String place, int count, int memory) {
    ResourceRequest request = anywhere(count, memory, 1);
    request.setResourceName(place);
    return request;
  }

  /** The same, and nowhere else. */
  static ResourceRequest onlyAt(String place, int count) {
    ResourceRequest request = at(place, count);
    request.setRelaxLocality(false);
    return request;
  }

  /** A container of 1 GB on a host that does not exist. */
  static List<ResourceRequest> thatFitNowhere() {
    return List.of(onlyAt(ResourceRequest.ANY, 1), onlyAt("127.0.9.9", 1));
  }

  static ResourceRequest anywhere(int count, int memory, int cores) {
    return ResourceRequest.newBuilder().priority(Priority.newInstance(1))
        .resourceName(ResourceRequest.ANY).capability(Resource.newInstance(memory, cores))
        .numContainers(count).build();
  }

  /** Containers of 1 GB on nodes with a label. */
  static ResourceRequest on(String label, int count) {
    ResourceRequest request = anywhere(count, GB, 1);
    request.setNodeLabelExpression(label);
    return request;
  }
}
