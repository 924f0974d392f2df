// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.cluster;

import io.github.dripfeed.core.resource.ResourceVector;

/** A node of the model. */
final class ModelNode {

  final String partition;
  final ResourceVector total;
  ResourceVector free;

  ModelNode(String partition, ResourceVector total) {
    this.partition = partition;
    this.total = total;
    this.free = total;
  }

  @Override
  public String toString() {
    return "node" + partition + total;
  }
}
