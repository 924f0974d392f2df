/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.State;
import java.util.Map;

/** The figures of one state-aware queue, as they are now. Any thread may ask. */
public interface QueueFigures {

  /** Has the figures of the queue that it orders. */
  interface Source {

    QueueFigures figures();
  }

  /** How many applications there are in each state. */
  Map<State, Integer> counts();

  /** How many accepted applications wait for headroom rather than for a slot. */
  int waitingForHeadroom();

  /** For how many milliseconds the application has been accepted that has been longest; 0 if none is. */
  long longestAcceptedMillis();
}
