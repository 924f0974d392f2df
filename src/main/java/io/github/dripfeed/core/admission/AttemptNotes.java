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
 * What others remember of an attempt: it survives whatever its {@link AttemptHistory} survives. Safe for
 * use
 * by any thread.
 */
public final class AttemptNotes {

  private volatile String warning;
  private boolean warned;
  private volatile String summary;
  private volatile boolean learned;

  /** What is wrong with what the application says of itself, for its user to read; null if nothing is. */
  public String warning() {
    return warning;
  }

  /**
   * @param wrong what is wrong, or null
   * @return whether it is the first time that anything is
   */
  public synchronized boolean setWarning(String wrong) {
    boolean first = wrong != null && !warned;
    warned |= first;
    warning = wrong;
    return first;
  }

  /**
   * What its user was last told that is the same for many; null if nothing was, or something else since.
   */
  public String summary() {
    return summary;
  }

  public void setSummary(String told) {
    summary = told;
  }

  /**
   * Whether the sizes of its executors were learned from those that it has; true from the second call on.
   */
  public synchronized boolean setLearned() {
    boolean before = learned;
    learned = true;
    return before;
  }

  /** It is in another queue now, which has learned nothing of it. */
  void forgetLearned() {
    learned = false;
  }
}
