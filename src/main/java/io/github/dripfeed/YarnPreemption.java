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

/**
 * Tells YARN's own preemption from everybody else who asks a policy for its applications.
 *
 * <p>Preemption takes containers from others for all that the applications of a queue ask for. A held
 * application asks for its driver and may not have it yet: what is taken for it goes back to whom it
 * was taken from, to be taken again in the next round, as long as the application is held. So
 * preemption must not see those held. Nothing in YARN's interface tells who asks; the thread does.
 */
final class YarnPreemption {

  /** The name of the policy, which YARN puts into the name of the thread that runs it. */
  private static final String POLICY = "ProportionalCapacityPreemptionPolicy";

  private YarnPreemption() {
  }

  static boolean isAsking() {
    return Thread.currentThread().getName().contains(POLICY);
  }
}
