// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.wire;

import java.util.Locale;

/**
 * The names on the wire: of the live view's MBean, its attributes, their columns, and the codes in the
 * rows. A constant's name is its name on the wire, in the case of its kind. A reader takes an unknown code
 * as none, and shows the sentence of the row.
 */
public final class Wire {

  /** The name of the MBean. */
  public static final String MBEAN = "Hadoop:service=ResourceManager,name=DripfeedView";
  /** Begins what Dripfeed writes into the diagnostics of an application, among YARN's own words. */
  public static final String HELD_BY = "Held by ";
  /** The group of all queues with {@code max-starting} = {@code auto}, as people read it. */
  public static final String AUTO_GROUP = "all queues with max-starting = auto";
  public static final String YES = "yes";
  public static final String NO = "no";
  /** The state before an attempt was observed. */
  public static final String NEW = "NEW";
  public static final String ACCEPTED = "ACCEPTED";
  public static final String STARTING = "STARTING";
  public static final String RUNNING = "RUNNING";
  /** The state after an attempt has ended. */
  public static final String ENDED = "ENDED";

  private Wire() {
  }

  /** The attributes of the MBean; {@code StartTime}. */
  public enum Attribute {
    VERSION, HADOOP_VERSION, TIME, START_TIME, CLUSTER_ID, RESOURCE_MANAGER, QUEUES, STARTING, LINE,
    PENDING, EVENTS, PROMOTIONS, FORGOTTEN_PROMOTIONS, ENDED_WHILE_STARTING, FORGOTTEN_ENDED_WHILE_STARTING;

    @Override
    public String toString() {
      return words(this);
    }
  }

  /** The columns of the tables; {@code memoryMb}. */
  public enum Column {
    QUEUE, GROUP, PARTITION, APPLICATION, NAME, ATTEMPT, USER, TYPE, FROM, TO, CODE, ARGUMENTS, REASON,
    RESOURCES, LACKS, TAKES_SLOT, MAX_STARTING, ORDERING, TAKE_BACK, SETTINGS,
    CHANGED_SETTINGS,
    // From here on, whole numbers.
    ACCEPTED, STARTING, RUNNING, WAITING_FOR_SLOT, WAITING_FOR_ROOM, TAKEN_BACK, PENDING_ACTIVATION,
    START_INTERVAL_LOW_SECONDS, START_INTERVAL_HIGH_SECONDS, STARTS_COUNTED, SINCE, SECONDS,
    AT_MOST_SECONDS, EXECUTORS, MIN_EXECUTORS, EARLIER_SECONDS, PLACE, PRIORITY, MEMORY_MB, VCORES,
    STARTS_IN_LOW_SECONDS, STARTS_IN_HIGH_SECONDS, SEQUENCE, TIME, MILLISECONDS;

    private final String wire = Character.toLowerCase(words(this).charAt(0)) + words(this).substring(1);

    public boolean isNumber() {
      return compareTo(ACCEPTED) >= 0;
    }

    @Override
    public String toString() {
      return wire;
    }
  }

  /** Why an application waits for its driver. */
  public enum Wait {
    /** The first of its line is offered: the scheduler has no room for its driver. */
    ROOM,
    /** For drivers to hold less: those that have started are expected to want the rest. */
    PLAN_EXPECTED,
    /** For room on the nodes. */
    PLAN_NODES,
    /** For room below the limit of its queue, or of a parent. */
    PLAN_QUEUE,
    /** For room below its user's limit. */
    PLAN_USER,
    /** For more than the room that stays free while a driver cannot be taken back. */
    PLAN_RESERVE,
    /** For a starting slot. */
    SLOT,
    /** A slot is free, but a starting application of the group lacks executors. */
    EXECUTORS,
    /** One was taken back, and nobody has made progress since. */
    PROGRESS,
    /** YARN passes over it: its user is at the user limit. */
    USER_LIMIT,
    /** It was taken back, and waits for its next try. */
    BACK_OFF,
    /** Its earlier attempts have used up its starting-timeout; it comes after all others. */
    EXHAUSTED,
    /** It was offered and not placed, or overtaken; it comes after all others. */
    STALLED,
    /** The AM limit keeps it in YARN's own list. */
    AM_LIMIT;

    /** Whether the first of its line waits for free resources rather than for others to have started. */
    public boolean isForRoom() {
      return compareTo(PLAN_RESERVE) <= 0;
    }

    /** Whether a whole line waits for it, and not this application alone. */
    public boolean isOfLine() {
      return compareTo(PROGRESS) <= 0;
    }

    /** Whether it comes after all others of its line. */
    public boolean isLast() {
      return this == EXHAUSTED || this == STALLED;
    }

    /** The code of this name; null if there is none. */
    public static Wait of(String code) {
      for (Wait each : values()) {
        if (each.name().equals(code)) {
          return each;
        }
      }
      return null;
    }
  }

  /** Why an event happened. */
  public enum Event {
    DRIVER, EXECUTORS, TIMEOUT, IDLE, EXEMPT, EXEMPT_NOW, INHERITED, UNDETERMINED,
    TAKEN_BACK, FINISHED, KILLED, FAILED, ENDED;

    /** Whether a time limit, and nothing that the application did, made it run. */
    public boolean isByLimit() {
      return this == TIMEOUT || this == IDLE;
    }
  }

  /** {@code StartTime} for {@code START_TIME}. */
  public static String words(Enum<?> constant) {
    StringBuilder words = new StringBuilder();
    for (String word : constant.name().split("_")) {
      words.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return words.toString();
  }
}
