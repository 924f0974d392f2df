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

import java.util.function.Predicate;

/** Containers of one size that an application asks for. Used by one thread. */
final class Request {

  final Claimant claimant;
  final long[] size;
  final Predicate<Node> where;
  /** How many are still asked for, in the course of a plan. */
  long open;
  /** Whether nothing can be done for it any more in this plan. */
  boolean hopeless;
  /** The node from which on to look for room: none was found before it. */
  int nextNode;

  Request(Claimant claimant, long[] size, long count, Predicate<Node> where) {
    this.claimant = claimant;
    this.size = size;
    this.open = count;
    this.where = where;
  }
}
