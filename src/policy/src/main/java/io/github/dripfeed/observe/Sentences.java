// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.core.plan.WaitReason;
import io.github.dripfeed.core.takeback.TakeBackMemory;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Wait;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** The sentences for people: made from codes and their arguments, and read by no program. */
public final class Sentences {

  /** The number of starting applications that are named. */
  private static final int STARTING_SHOWN = 3;

  private Sentences() {
  }

  /** Why the application is taken back whose room another one needs, as the second half of a sentence. */
  public static String blocked(int blocking, Object gainer, Object executor) {
    return blocking + " starting applications block each other, and in its place " + gainer
        + " gets an executor of " + executor;
  }

  /** When and why the application was taken back. */
  static String takenBack(TakeBackMemory memory) {
    return Wait.BACK_OFF.sentence + (memory.times() == 1 ? "" : " (number " + memory.times() + ")") + " at "
        + Instant.ofEpochMilli(memory.lastWallMillis()).truncatedTo(ChronoUnit.SECONDS) + ", because "
        + memory.reason();
  }

  /** How many applications wait in YARN's own list, and for what. */
  public static String notActivated(int applications) {
    return applications + (applications == 1 ? " waits" : " wait")
        + " in YARN's list for the AM limit (maximum-am-resource-percent)";
  }

  /** What the next application of the line waits for. */
  public static String waitsFor(AdmissionLineView<?> line) {
    Wait code = line.waitsFor.code();
    return (code.isForRoom() ? Wait.ROOM : code).sentence
        + (line.group == null || code.isForRoom() ? ""
            : " of " + (line.group.equals(Wire.AUTO_GROUP) ? line.group : "the group " + line.group));
  }

  /** What there is too little of, after a colon; empty if the next one is offered, or waits for no room. */
  public static String shortage(WaitReason wait) {
    Wait code = wait.code();
    if (!code.isForRoom() || code == Wait.ROOM) {
      return "";
    }
    return ": " + (wait.needed() == null ? code.sentence
        : (code == Wait.PLAN_EXPECTED ? code.sentence + of(wait) : place(wait)) + ": " + numbers(wait));
  }

  private static String of(WaitReason wait) {
    return " of " + (wait.parent() == null ? "the queue" : wait.parent());
  }

  /** Who has too little, and whether nothing is free, or what is free is wanted by others. */
  private static String place(WaitReason wait) {
    String who = wait.code() == Wait.PLAN_USER ? "the limit of its user"
        : wait.code() == Wait.PLAN_NODES ? "the cluster"
            : wait.parent() == null ? "the queue" : "the parent queue " + wait.parent();
    boolean isFull = false;
    boolean isFree = true;
    for (int type : shortTypes(wait)) {
      isFull |= wait.free().get(type) <= 0 || wait.free().get(type) < wait.driver().get(type);
      isFree &= wait.free().get(type) >= wait.needed().get(type);
    }
    boolean isLimit = wait.code() == Wait.PLAN_USER;
    return isFull ? who + (isLimit ? " is reached" : " is full")
        : isFree ? "earlier applications need what is free " + (isLimit ? "below " : "in ") + who
            : who + " has too little room";
  }

  /** The types of which too little is left. */
  private static List<Integer> shortTypes(WaitReason wait) {
    List<Integer> types = new ArrayList<>();
    for (int type = 0; type < wait.needed().types(); type++) {
      if (wait.needed().get(type) > Math.max(0, wait.left().get(type))) {
        types.add(type);
      }
    }
    return types;
  }

  private static String numbers(WaitReason wait) {
    List<String> free = new ArrayList<>();
    List<String> needed = new ArrayList<>();
    for (int type : shortTypes(wait)) {
      long driver = wait.driver().get(type);
      long executors = wait.needed().get(type) - driver;
      free.add(number(Math.max(0, wait.free().get(type)))
          + (wait.limit() == null ? "" : " of " + number(wait.limit().get(type))) + unit(type));
      needed.add((driver == 0 || executors == 0 ? number(driver + executors)
          : number(driver) + " + " + number(executors)) + unit(type));
    }
    return String.join(", ", free) + " free; this one needs " + String.join(", ", needed);
  }

  private static String number(long amount) {
    return String.format(Locale.ROOT, "%,d", amount);
  }

  private static String unit(int type) {
    return type == 0 ? " MB" : type == 1 ? " vcores"
        : " " + ResourceUtils.getResourceTypesArray()[type].getName();
  }

  /**
   * Why an application waits that is next in its line, or behind the next one.
   *
   * @param next the next one; null if it is itself
   */
  static String waits(AdmissionLineView<?> line, Object next) {
    WaitReason wait = line.waitsFor;
    if (!wait.code().isForRoom()) {
      return "waits for " + waitsFor(line) + starting(line);
    } else if (wait.code() != Wait.ROOM) {
      return (next == null ? "It" : idOf(next)) + " is next, and waits for room" + shortage(wait)
          + starting(line);
    }
    return next == null ? "It is next, and gets its AM as soon as there is room"
        : idOf(next) + " is next, and waits for room";
  }

  /** The place of the application, before what it waits for. */
  static String lead(AdmissionLineView<?> line, int place) {
    return "Number " + place + in(line) + (line.waitsFor.code().isForRoom() ? "; " : ", ");
  }

  /** Why an application waits that has more than so many before it. */
  static String farBehind(AdmissionLineView<?> line, int before) {
    return "More than " + before + " applications are before it" + in(line) + "; the next waits for "
        + waitsFor(line);
  }

  private static String in(AdmissionLineView<?> line) {
    return " in line" + (line.partition.isEmpty() ? "" : " for partition " + line.partition);
  }

  /** When the application at this place is expected to start, and why; empty if nothing is known. */
  static String expected(StartForecast forecast, int place) {
    return !forecast.isKnown(place) ? "" : "the last " + forecast.intervals() + " starts came "
        + range(forecast.shortInterval(), forecast.longInterval()) + " apart: about "
        + range(forecast.earliest(place), forecast.latest(place));
  }

  /** Rounded to the outside. */
  private static String range(long from, long to) {
    long unit = to <= TimeUnit.MINUTES.toMillis(2) ? TimeUnit.SECONDS.toMillis(1)
        : to <= TimeUnit.HOURS.toMillis(2) ? TimeUnit.MINUTES.toMillis(1) : TimeUnit.HOURS.toMillis(1);
    String name = unit == TimeUnit.SECONDS.toMillis(1) ? "s"
        : unit == TimeUnit.MINUTES.toMillis(1) ? "minutes" : "hours";
    long low = from / unit;
    long high = (to + unit - 1) / unit;
    return low == high ? low + " " + name : low + " to " + high + " " + name;
  }

  private static String starting(AdmissionLineView<?> line) {
    StringBuilder starting = new StringBuilder();
    int shown = 0;
    List<? extends AttemptView<?>> all = line.starting();
    for (AttemptView<?> one : all) {
      if (++shown > STARTING_SHOWN) {
        starting.append("; ").append(all.size() - STARTING_SHOWN)
            .append(" more are starting");
        break;
      }
      starting.append("; ").append(idOf(one.item())).append(inQueue(line, one.item()))
          .append(" has been starting for ").append(seconds(one.millisInState(line.now)))
          .append(" s (at most ").append(seconds(one.settings().startingTimeout())).append(" s)");
    }
    for (Object reserved : line.reservedBeside) {
      starting.append("; a node is reserved for the AM of ").append(idOf(reserved))
          .append(inQueue(line, reserved));
    }
    return starting.toString();
  }

  private static long seconds(long millis) {
    return TimeUnit.MILLISECONDS.toSeconds(Math.max(0, millis));
  }

  /** Names the queue of an application where it may be another one; else empty. */
  public static String inQueue(AdmissionLineView<?> line, Object entity) {
    Queue queue = line.group == null ? null : ((SchedulerApplicationAttempt) entity).getQueue();
    return queue instanceof CSQueue ? " in queue " + ((CSQueue) queue).getQueuePath() : "";
  }

  static String idOf(Object entity) {
    return ((SchedulerApplicationAttempt) entity).getApplicationId().toString();
  }
}
