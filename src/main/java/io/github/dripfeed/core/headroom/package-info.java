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
 * Which applications may start beside those that are already starting: given free and pending resources,
 * an accepted application may start if its driver and first executors still fit after all applications
 * before it have what they need. Like the order, this package depends neither on YARN nor on threads nor
 * on a clock. Its types are not safe for concurrent use unless they say so.
 *
 * <p>Internal: no other project can rely on it.
 */
package io.github.dripfeed.core.headroom;
