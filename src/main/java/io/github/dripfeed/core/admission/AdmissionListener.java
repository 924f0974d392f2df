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
 * Is told what an ordering does. Called outside any lock, from scheduling threads too: an
 * implementation is quick and throws nothing.
 *
 * @param <T> what stands for an application attempt
 */
public interface AdmissionListener<T> {

  /**
   * An attempt has changed its state.
   *
   * @param millis how long it had been in the state it left
   */
  void stateChanged(T item, Transition transition, long millis);

  /**
   * An attempt is found to have changed its state before anybody looked, as after a restart: nothing
   * has happened now.
   */
  default void discovered(T item, Transition transition) {
    // Of interest to few.
  }

  /**
   * Another accepted attempt is offered in a partition than before.
   *
   * @param item null if nobody is any more
   */
  default void offered(T item, String partition) {
    // Of interest to few.
  }

  /** The driver of an attempt is allocated while as many were starting as there are slots. */
  default void startedBeyondSlots(T item) {
    // Of interest to few.
  }

  /** An accepted attempt has been offered for {@code millis} in vain and holds back nobody any more. */
  void stalled(T item, long millis);

  /**
   * Something went wrong inside; scheduling goes on.
   *
   * @param item the attempt whose facts could not be had, or null where it is not about one
   */
  void failed(T item, Throwable failure);
}
