/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.demo;

import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;

/**
 * The state of a queue's burst in the ResourceManager at one moment.
 *
 * @param atMillis since the epoch
 * @param usedMb the memory that the queue's containers hold
 * @param capacityMb the maximum memory of the queue
 * @param askedMb the memory of the outstanding requests of the queue
 */
record Sample(long atMillis, List<App> apps, long usedMb, long capacityMb, long askedMb) {

  /** One application. */
  record App(String name, RMAppState state, boolean succeeded, long submittedAt, long finishedAt,
      List<Live> live) {
  }

  /** A live container. */
  record Live(String id, boolean driver, long createdAt) {
  }
}
