// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.takeback;

import io.github.dripfeed.core.cluster.Container;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes back one driver at a time in a partition: the next one when the last one is gone, and never more
 * than were found to be enough at first. After a try in vain the next try comes later, each time twice as
 * late. Used by one thread. Times are milliseconds.
 */
public final class Standstill {

  /** How often the wait after a try in vain doubles. */
  private static final int MOST_DOUBLINGS = 6;

  /** The application for which drivers are taken back, as it was before the first one; null if none. */
  private Blocked gainer;
  private long lastAt;
  private int left;
  /** How often in succession it was in vain, and the last one for which it was; null if none. */
  private int inVain;
  private Blocked vainGainer;
  private Long quietUntil;
  /** Since when applications have had room without getting it. */
  private final Map<Object, Long> roomSince = new HashMap<>();
  /**
   * Starts are held until one of these ends or runs: those that had a driver when an application was taken
   * back, or got one since. Null while starts are not held.
   */
  private Set<Object> heldFor;
  /** Those that had executors when an application was taken back. */
  private Set<Object> ranThen = new HashSet<>();

  /** The driver to take back now, or null. The caller reports it with {@link #took}. */
  public Container next(Scene scene, long now) {
    endHold(scene);
    roomSince.keySet().removeIf(application -> scene.find(application) == null);
    if (isServed(vainGainer, scene)) {
      // It was served late, or the next standstill is another one.
      forgetVain();
    }
    if (isServed(gainer, scene)) {
      gainer = null;
      forgetVain();
    }
    if (scene.roomComes) {
      // The gainer cannot have got it yet: its wait begins when the room is there.
      lastAt = now;
      return null;
    }
    if (gainer != null && now - lastAt < gainer.after) {
      List<Container> losses = left == 0 ? null : scene.lossesFor(scene.find(gainer.application));
      return losses == null || losses.isEmpty() ? null : losses.get(0);
    }
    if (gainer != null) {
      vainGainer = gainer;
      gainer = null;
      quietUntil = now + (vainGainer.after << Math.min(inVain, MOST_DOUBLINGS));
      inVain++;
    }
    return quietUntil != null && now - quietUntil < 0 ? null : begin(scene, now);
  }

  /** Whether it has got an executor, or is not blocked any more for another reason. */
  private static boolean isServed(Blocked then, Scene scene) {
    Blocked current = then == null ? null : scene.find(then.application);
    return then != null && (current == null || current.executors > then.executors);
  }

  private void forgetVain() {
    vainGainer = null;
    inVain = 0;
    quietUntil = null;
  }

  /**
   * Without a standstill only an overdue application gains: what goes on elsewhere may never help it.
   */
  private Container begin(Scene scene, long now) {
    boolean calm = scene.isStandstill();
    for (Blocked first : scene.blocked) {
      if (!calm && !first.isOverdue()) {
        continue;
      }
      List<Container> losses = scene.lossesFor(first);
      if (losses == null || !losses.isEmpty()) {
        roomSince.remove(first.application);
      }
      if (losses != null && !losses.isEmpty()) {
        gainer = first;
        left = losses.size();
        lastAt = now;
        return losses.get(0);
      }
      // It has room, and the scheduler will use it; if it does not, something else is in its way.
      if (losses != null && now - roomSince.computeIfAbsent(first.application, a -> now) < first.after) {
        return null;
      }
    }
    return null;
  }

  /** The driver is taken back. */
  public void took(Container driver, Scene scene, long now) {
    lastAt = now;
    left--;
    // Nobody starts in parallel until somebody has made progress: got an executor, or ended.
    if (heldFor == null) {
      heldFor = new HashSet<>(scene.present);
      ranThen = new HashSet<>(scene.running);
    }
    lost(driver.application);
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

  /** The application for which drivers are taken back; null if there is none. */
  public Blocked gainer() {
    return gainer;
  }

  /**
   * Whether nobody starts in parallel: an application was taken back, and nobody has made progress
   * since.
   */
  public boolean isHolding() {
    return heldFor != null;
  }

  private void endHold(Scene scene) {
    if (heldFor != null && (!ranThen.containsAll(scene.running) || !scene.present.containsAll(ranThen)
        || !scene.present.containsAll(heldFor))) {
      heldFor = null;
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
