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

/** Why an attempt may not start beside those that are starting, and whose claims are in its way. */
public final class Shortfall {

  private final Shortage shortage;
  private final String detail;

  /** @param detail the continuation of the reason; may be empty */
  public Shortfall(Shortage shortage, String detail) {
    this.shortage = shortage;
    this.detail = detail;
  }

  public Shortage shortage() {
    return shortage;
  }

  /** The reason, as the second half of a sentence. */
  public String reason() {
    return shortage.reason() + detail;
  }
}
