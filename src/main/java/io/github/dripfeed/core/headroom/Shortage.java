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

/** The reason why no further application may start beside those that are already starting. */
public enum Shortage {
  DEMAND("earlier applications have requested the free resources"),
  EXPECTED("the applications that have started are expected to want the free resources"),
  NODES("no node has what it and the starting applications are expected to need"),
  QUEUE("its queue or a parent queue has too little headroom for what it and the starting applications"
      + " are expected to need"),
  USER("its user's limit is lower than what it is expected to need"),
  RESERVE("room for the largest container that the queue allows must stay free");

  private final String reason;

  Shortage(String reason) {
    this.reason = reason;
  }

  /** The reason, as the second half of a sentence. */
  public String reason() {
    return reason;
  }
}
