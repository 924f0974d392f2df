/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
/**
 * Plans which containers to preempt for which application, given the containers and pending requests of a
 * queue's applications and the nodes where containers could be placed. Like the order, this package
 * depends neither on YARN nor on threads nor on a clock. Its types are not safe for concurrent use.
 *
 * <p>In a plan, a <em>receiver</em> is an application for which containers are preempted, and a
 * <em>loser</em> is an application whose containers are preempted. An assignment places one container of
 * a receiver on a node.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.reclaim;
