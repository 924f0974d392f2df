// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceSum;
import io.github.dripfeed.core.resource.ResourceVector;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The headroom of one queue in one partition: its own levels and users, and the nodes, which all queues
 * share. It shrinks while a plan is made.
 */
public final class PartitionHeadroom {

  private final PartitionRoom room;
  private final List<LevelRoom> levels;
  private final ResourceSum used;
  private final ResourceVector guaranteed;
  private final ResourceVector allowed;
  private final Map<String, UserHeadroom> users = new HashMap<>();
  private List<ResourceVector> shapes = new ArrayList<>();
  private String shortLevel;
  private boolean exhausted;
  /** What was assigned since the last {@link #begin}. */
  private final List<ResourceSum> placedOn = new ArrayList<>();
  private final List<ResourceVector> placed = new ArrayList<>();
  private String placedFor;

  /**
   * @param room the nodes of the partition
   * @param levels the queue and its ancestors
   * @param used the usage of the queue
   * @param guaranteed the guaranteed capacity of the queue
   * @param allowed the largest container that the queue allows, type by type
   */
  public PartitionHeadroom(PartitionRoom room, List<LevelRoom> levels, ResourceVector used,
      ResourceVector guaranteed, ResourceVector allowed) {
    this.room = room;
    this.levels = levels;
    this.used = new ResourceSum(used);
    this.guaranteed = guaranteed;
    this.allowed = allowed;
  }

  public void addUser(String name, UserHeadroom headroom) {
    users.put(name, headroom);
  }

  /**
   * Keeps room for the largest containers that applications of this queue may request.
   *
   * @param requested sizes that they have requested
   * @param executors the number of such containers
   */
  public void keepReserve(List<ResourceVector> requested, int executors) {
    shapes = room.keep(allowed, requested, executors);
    for (ResourceVector shape : shapes) {
      for (LevelRoom level : levels) {
        level.keep(shape.times(executors));
      }
    }
  }

  /** The reserve has to stay beside every driver: there is one that cannot be taken back. */
  public void keepBesideAll() {
    room.keepBesideAll();
  }

  boolean isKeptBesideAll() {
    return room.isKeptBesideAll();
  }

  /** The usage, with what was assigned so far, in proportion to the guaranteed capacity. */
  double usedOfGuaranteed() {
    return guaranteed.get(0) <= 0 ? Double.MAX_VALUE : (double) used.get(0) / guaranteed.get(0);
  }

  /** Whether a container of this size could ever be placed. */
  boolean isPossible(ResourceVector size) {
    return size.fitsIn(allowed) && room.isPossible(size);
  }

  /** An earlier application of the queue has demand that cannot be met: nothing is left for later ones. */
  void exhaust() {
    exhausted = true;
  }

  boolean isExhausted() {
    return exhausted;
  }

  /** The name of the queue or parent queue that had too little headroom when it was last asked. */
  String shortLevel() {
    return shortLevel;
  }

  /** What is assigned from now on can be {@linkplain #undo undone}. */
  void begin(String user) {
    placedOn.clear();
    placed.clear();
    placedFor = user;
  }

  /** Gives back what was assigned since {@link #begin}. */
  void undo() {
    for (int i = placed.size() - 1; i >= 0; i--) {
      ResourceVector size = placed.get(i);
      room.takeBack(placedOn.get(i), size);
      levels.forEach(level -> level.giveBack(size));
      used.subtract(size);
      users.get(placedFor).giveBack(size);
    }
    begin(placedFor);
  }

  /** The number of containers assigned since {@link #begin}. */
  int assigned() {
    return placed.size();
  }

  /**
   * Assigns containers.
   *
   * @return why not all could be assigned, or null if all were
   */
  Wait assign(String user, ResourceVector size, long count) {
    UserHeadroom ofUser = users.get(user);
    if (ofUser == null) {
      // The user arrived after the usage was read.
      return Wait.HEADROOM_USER;
    }
    for (long i = 0; i < count; i++) {
      Wait shortage = assignOne(ofUser, size);
      if (shortage != null) {
        return shortage;
      }
    }
    return null;
  }

  private Wait assignOne(UserHeadroom ofUser, ResourceVector size) {
    for (LevelRoom level : levels) {
      if (!level.has(size)) {
        shortLevel = level.name();
        return Wait.HEADROOM_QUEUE;
      }
    }
    if (!ofUser.has(size, used)) {
      return Wait.HEADROOM_USER;
    }
    ResourceSum node = room.place(size);
    if (node == null) {
      return Wait.HEADROOM_NODES;
    }
    for (LevelRoom level : levels) {
      level.take(size);
    }
    used.add(size);
    ofUser.take(size);
    placedOn.add(node);
    placed.add(size);
    return null;
  }

  /**
   * Whether the reserve, which does not depend on estimates, keeps room for the largest containers beside
   * another driver, on the nodes and below the maxima of the queues.
   */
  boolean keepsReserve(ResourceVector driver) {
    return room.keepsBeside(driver) && levels.stream().allMatch(level -> level.keepsBeside(driver));
  }

  /**
   * Whether the limit of the user keeps room for them beside another driver.
   *
   * @param executors the number of such containers that the application may request first
   */
  boolean keepsUserReserve(String user, ResourceVector driver, int executors) {
    UserHeadroom ofUser = users.get(user);
    // YARN allocates one more container as long as the user is not above its limit.
    return ofUser != null
        && shapes.stream().allMatch(shape -> ofUser.keepsBeside(driver, shape.times(executors - 1)));
  }

  /** Accounts in the reserve for a driver that may stay without executors. */
  void addDriver(String user, ResourceVector driver) {
    room.addDriver(driver);
    levels.forEach(level -> level.addDriver(driver));
    UserHeadroom ofUser = users.get(user);
    // It has none while the application moves to this queue.
    if (ofUser != null) {
      ofUser.addDriver(driver);
    }
  }

  /** Whether room for the largest containers would stay beside any driver that is not planned. */
  boolean keepsReserveBesideAny() {
    return shapes.stream().allMatch(this::keepsReserve);
  }
}
