/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.reclaim;

/** Who submitted applications, and how much YARN lets all of them have together. */
public final class User {

  final double limit;
  final long[] held;

  /**
   * @param limit by the measure of the queue; who is above it gets nothing more
   * @param types how many types of resources count
   */
  public User(double limit, int types) {
    this.limit = limit;
    this.held = new long[types];
  }
}
