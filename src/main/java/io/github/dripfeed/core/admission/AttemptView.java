/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

/**
 * One attempt in the order of a queue, for those who look at it. Its values are as they are at the moment
 * of
 * the call. Any thread may ask.
 *
 * @param <T> what stands for an application attempt
 */
public interface AttemptView<T> {

  /** The attempt itself. */
  T item();

  /** Its facts, as they were handed in. */
  Attempt facts();

  State state();

  /** The numbers of the rule for it: those of the queue, unless it has its own. */
  AttemptSettings settings();

  /** Whether it waits for its driver, and others go before it. */
  boolean isStalled();

  /**
   * Whether earlier attempts of its application have been starting for as long as they may altogether: then
   * it takes no slot that another could use.
   */
  boolean isExhausted();

  /** What others remember of it. */
  AttemptNotes notes();
}
