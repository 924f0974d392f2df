// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows, in one partition, how applications that block each other are resolved: one driver at a time is
 * taken back, the next one only when the last one is gone, and never more for one application than the
 * rule has found to be enough. If that was in vain, the next attempt comes later, each time twice as late.
 * Used by one thread. Times are milliseconds.
 */
public final class Standstill {

  /** How often the wait after an attempt in vain doubles. */
  private static final int MOST_DOUBLINGS = 6;

  /** What a round has found in the partition. */
  public static final class Scene {
    final List<BlockedApplication> blocked;
    final Set<Object> present;
    final Set<Object> running;
    final boolean moving;
    final boolean roomComes;

    /**
     * @param oldestFirst the blocked applications
     * @param present those of the partition with a driver that they keep, blocked or not
     * @param running those of them that have executors, or had some
     * @param moving whether one of the running has got or released a container a short time ago
     * @param roomComes whether a driver was taken back whose room is not free yet
     */
    public Scene(List<BlockedApplication> oldestFirst, Set<Object> present, Set<Object> running,
        boolean moving, boolean roomComes) {
      this.blocked = oldestFirst;
      this.present = present;
      this.running = running;
      this.moving = moving;
      this.roomComes = roomComes;
    }

    BlockedApplication find(Object application) {
      return blocked.stream().filter(each -> each.application.equals(application)).findFirst().orElse(null);
    }
  }

  private Object gainer;
  /** Its executors when the first driver was taken back for it. */
  private int gainerHad;
  private long lastAt;
  private int left;
  /** How often in succession. */
  private int inVain;
  /** The last one for which drivers were taken back in vain, and its executors then; null if none. */
  private Object vainGainer;
  private int vainGainerHad;
  private Long quietUntil;
  /** Since when applications have had room without getting it. */
  private final Map<Object, Long> roomSince = new HashMap<>();
  /**
   * Those that had a driver when an application was taken back, or got one since; null if starts are not
   * held.
   */
  private Set<Object> heldFor;
  /** Those that had had executors when an application was taken back; null if starts are not held. */
  private Set<Object> ranThen;

  /** The driver to take back now, or null. The caller reports it with {@link #took}. */
  public Loss next(Scene scene, TakeBackRule rule, long now) {
    endHold(scene);
    roomSince.keySet().removeIf(application -> scene.find(application) == null);
    if (vainGainer != null && isServed(scene.find(vainGainer), vainGainerHad)) {
      // Late, or the next standstill has nothing to do with that one.
      forgetVain();
    }
    if (gainer != null) {
      BlockedApplication waiting = scene.find(gainer);
      if (isServed(waiting, gainerHad)) {
        gainer = null;
        forgetVain();
      } else if (scene.roomComes) {
        // It cannot have got it yet: its wait begins when the room is there.
        lastAt = now;
        return null;
      } else if (now - lastAt >= waiting.after()) {
        vainGainer = gainer;
        vainGainerHad = gainerHad;
        gainer = null;
        quietUntil = now + (waiting.after() << Math.min(inVain, MOST_DOUBLINGS));
        inVain++;
      } else if (left == 0) {
        return null;
      } else {
        List<Loss> losses = rule.lossesFor(waiting, scene.blocked);
        return losses == null || losses.isEmpty() ? null : losses.get(0);
      }
    }
    if (scene.roomComes || quietUntil != null && now - quietUntil < 0) {
      return null;
    }
    return begin(scene, rule, !scene.moving && rule.isStandstill(scene.blocked), now);
  }

  /** Whether it has got an executor, or is not blocked any more for another reason. */
  private static boolean isServed(BlockedApplication gainer, int had) {
    return gainer == null || gainer.executors() > had;
  }

  private void forgetVain() {
    vainGainer = null;
    inVain = 0;
    quietUntil = null;
  }

  /**
   * @param calm whether nothing else goes on; otherwise only an application that has waited for long
   *     gains, because what goes on may never help it
   */
  private Loss begin(Scene scene, TakeBackRule rule, boolean calm, long now) {
    for (BlockedApplication first : scene.blocked) {
      if (!calm && !first.isOverdue()) {
        continue;
      }
      List<Loss> losses = rule.lossesFor(first, scene.blocked);
      if (losses == null || !losses.isEmpty()) {
        roomSince.remove(first.application);
      }
      if (losses == null) {
        continue;
      }
      if (!losses.isEmpty()) {
        gainer = first.application;
        gainerHad = first.executors();
        left = losses.size();
        lastAt = now;
        return losses.get(0);
      }
      // It has room, and the scheduler will use it; if it does not, something else is in its way.
      if (now - roomSince.computeIfAbsent(first.application, a -> now) < first.after()) {
        return null;
      }
    }
    return null;
  }

  /** The driver is taken back. */
  public void took(Loss loss, Scene scene, long now) {
    lastAt = now;
    left--;
    // Nobody starts beside another until somebody has made progress: got an executor, or ended.
    if (heldFor == null) {
      heldFor = new HashSet<>(scene.present);
      ranThen = new HashSet<>(scene.running);
    }
    lost(loss.application);
  }

  /** An application is taken back, here or in another partition: its end is no progress. */
  public void lost(Object taken) {
    if (heldFor != null) {
      heldFor.remove(taken);
    }
  }

  /** The driver that was to be taken back may not be. */
  public void gaveUp() {
    gainer = null;
  }

  /** The application for which drivers are taken back. */
  public Object gainer() {
    return gainer;
  }

  /**
   * Whether nobody starts beside another: an application was taken back, and nobody has made progress
   * since.
   */
  public boolean isHolding() {
    return heldFor != null;
  }

  private void endHold(Scene scene) {
    if (heldFor != null && (!ranThen.containsAll(scene.running) || !scene.present.containsAll(ranThen)
        || !scene.present.containsAll(heldFor))) {
      heldFor = null;
      ranThen = null;
    } else if (heldFor != null) {
      // One that starts meanwhile may be the only one: if it ends, that is progress, too.
      heldFor.addAll(scene.present);
    }
  }

  /** Whether there is nothing to remember. */
  public boolean isOver() {
    return gainer == null && heldFor == null && quietUntil == null && roomSince.isEmpty();
  }
}
