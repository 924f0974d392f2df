/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
