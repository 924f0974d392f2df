/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import java.lang.reflect.InvocationTargetException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;

/**
 * What leaf queues tell that has to be asked for by name, since the class that declares it differs
 * between versions of Hadoop (contract, fact 12).
 */
final class LeafQueues {

  private LeafQueues() {
  }

  /** The policy that orders the queue now, or null if it cannot be told. */
  static Object orderingPolicy(Queue queue) {
    try {
      return queue == null ? null : queue.getClass().getMethod("getOrderingPolicy").invoke(queue);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }
}
