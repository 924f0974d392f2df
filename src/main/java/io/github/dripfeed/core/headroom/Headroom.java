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

/**
 * What a queue may have beside what it has, asked for at the very moment. Called by scheduling threads,
 * outside any lock.
 */
public interface Headroom {

  /**
   * Whether so much is free for the queue in the partition.
   *
   * @param amounts by type of resource
   */
  boolean has(String partition, long[] amounts);
}
