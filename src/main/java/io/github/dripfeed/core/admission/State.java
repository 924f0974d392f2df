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
 * How far an application attempt has come (docs/design.md#states). An attempt only ever moves forward
 * through these states.
 */
public enum State {
  /** No container yet: its driver has still to be allocated. */
  ACCEPTED,
  /** The driver is allocated, fewer than {@code min-executors} further containers have been live. */
  STARTING,
  /** Past its early stage, and there for good. */
  RUNNING
}
