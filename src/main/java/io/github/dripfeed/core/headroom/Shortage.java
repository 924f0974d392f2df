/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.headroom;

/** What there is too little of for one more application to start beside those that are starting. */
public enum Shortage {
  DEMAND("the applications before it ask for what is free"),
  NODES("no node has what it and those starting are expected to need"),
  QUEUE("its queue, or one above, may not have what it and those starting are expected to need"),
  USER("its user may not have what it is expected to need"),
  RESERVE("room for the largest container that the queue allows has to stay");

  private final String reason;

  Shortage(String reason) {
    this.reason = reason;
  }

  /** Why it may not start yet, as the second half of a sentence. */
  public String reason() {
    return reason;
  }
}
