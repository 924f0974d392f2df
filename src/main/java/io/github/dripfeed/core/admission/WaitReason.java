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

import io.github.dripfeed.core.headroom.Shortage;

/** What the next in a line waits for, and with it those behind. Immutable. */
public final class WaitReason {

  /** It is offered: it waits until the scheduler can place its driver. */
  public static final WaitReason OFFERED = new WaitReason(true, null);
  /** As many are starting as may be, and nothing says that there is room for more. */
  public static final WaitReason FOR_SLOT = new WaitReason(false, null);

  private final boolean room;
  private final Shortage shortage;

  private WaitReason(boolean room, Shortage shortage) {
    this.room = room;
    this.shortage = shortage;
  }

  /** For room beside those that are starting, or for one of them to be done. */
  static WaitReason forRoom(Shortage shortage) {
    return new WaitReason(true, shortage);
  }

  /** Whether it waits for room; else for a starting slot. */
  public boolean isForRoom() {
    return room;
  }

  /** What it waits for, in words. */
  public String what() {
    return room ? "room" : "a starting slot";
  }

  /** What there is too little of for it to be offered; null if it is offered, or waits for a slot. */
  public Shortage shortage() {
    return shortage;
  }
}
