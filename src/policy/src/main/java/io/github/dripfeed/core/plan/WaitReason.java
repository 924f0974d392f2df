// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;

/** Why the next attempt of a line waits, and with it the attempts behind it. Immutable. */
public final class WaitReason {

  private final Wait code;
  private final String parent;
  private final ResourceVector driver;
  private final ResourceVector needed;
  private final ResourceVector left;
  private final ResourceVector free;
  private final ResourceVector limit;

  public WaitReason(Wait code) {
    this(code, null, null, null, null, null, null);
  }

  private WaitReason(Wait code, String parent, ResourceVector driver, ResourceVector needed,
      ResourceVector left, ResourceVector free, ResourceVector limit) {
    this.code = code;
    this.parent = parent;
    this.driver = driver;
    this.needed = needed;
    this.left = left;
    this.free = free;
    this.limit = limit;
  }

  /** A queue, a parent or the nodes leave too little. */
  static WaitReason of(Account account, String queue, ResourceVector driver, ResourceVector needed) {
    return of(account, account.name() == null ? Wait.PLAN_NODES : Wait.PLAN_QUEUE,
        parent(account, queue), driver, needed);
  }

  /** The user's limit leaves too little. */
  static WaitReason ofUser(Account user, ResourceVector driver, ResourceVector needed) {
    return of(user, Wait.PLAN_USER, null, driver, needed);
  }

  private static WaitReason of(
      Account account, Wait code, String parent, ResourceVector driver, ResourceVector needed) {
    return new WaitReason(code, parent, driver, needed, account.left().toVector(), account.free(),
        account.limit());
  }

  /** Drivers hold what they may while others want the rest. */
  static WaitReason ofPart(Account account, String queue, ResourceVector driver) {
    ResourceVector left = account.part().minus(account.drivers());
    return new WaitReason(Wait.PLAN_EXPECTED, parent(account, queue), driver, driver, left, left,
        account.part());
  }

  /** Null for the queue itself, and for nodes. */
  private static String parent(Account account, String queue) {
    return queue.equals(account.name()) ? null : account.name();
  }

  /** Whether more room for the queue, or for its user, would end it. */
  boolean isForRoom() {
    return code != Wait.PLAN_EXPECTED;
  }

  public Wait code() {
    return code;
  }

  /** The parent queue that has too little; null if it is the queue itself, or another reason. */
  public String parent() {
    return parent;
  }

  /** What the next attempt needs: its driver and first executors; null if that is not the reason. */
  public ResourceVector needed() {
    return needed;
  }

  /** What is left for it; may be negative; null if that is not the reason. */
  public ResourceVector left() {
    return left;
  }

  /** The part of what it needs that is its driver. */
  public ResourceVector driver() {
    return driver;
  }

  /** What is free, whoever wants it; may be negative. */
  public ResourceVector free() {
    return free;
  }

  /** The limit of which that is a part; null if it is not known. */
  public ResourceVector limit() {
    return limit;
  }
}
