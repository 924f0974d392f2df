// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The names on the wire: of the live view's MBean, its attributes, their columns, and the codes in the
 * rows. A constant's name is its name on the wire, in the case of its kind. A reader takes an unknown code
 * as none, and shows the sentence of the row.
 */
public final class Wire {

  /** The name of the MBean. */
  public static final String MBEAN = "Hadoop:service=ResourceManager,name=DripfeedView";
  /** The group of all queues with {@code max-starting} = {@code auto}, as people read it. */
  public static final String AUTO_GROUP = "all queues with max-starting = auto";
  /** The number of counted starts below which nothing is said of when others will start. */
  public static final int FEWEST_STARTS = 5;
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

  /** The attributes of the MBean; {@code StartTime}. Those with columns are tables. */
  public enum Attribute {
    VERSION, HADOOP_VERSION, TIME, START_TIME, CLUSTER_ID, RESOURCE_MANAGER,
    QUEUES(Column.QUEUE, Column.GROUP, Column.ACCEPTED, Column.STARTING, Column.RUNNING,
        Column.WAITING_FOR_SLOT, Column.WAITING_FOR_ROOM, Column.TAKEN_BACK, Column.PENDING_ACTIVATION,
        Column.MAX_STARTING, Column.ORDERING, Column.TAKE_BACK, Column.SETTINGS, Column.CHANGED_SETTINGS,
        Column.START_INTERVAL_LOW_SECONDS, Column.START_INTERVAL_HIGH_SECONDS, Column.STARTS_COUNTED),
    STARTING(Column.QUEUE, Column.PARTITION, Column.APPLICATION, Column.NAME, Column.ATTEMPT, Column.USER,
        Column.TYPE, Column.SINCE, Column.SECONDS, Column.AT_MOST_SECONDS, Column.EXECUTORS,
        Column.MIN_EXECUTORS, Column.LACKS, Column.REQUESTS, Column.EARLIER_SECONDS, Column.TAKES_SLOT),
    LINE(Column.QUEUE, Column.PARTITION, Column.PLACE, Column.APPLICATION, Column.NAME, Column.ATTEMPT,
        Column.USER, Column.TYPE, Column.PRIORITY, Column.SINCE, Column.SECONDS, Column.CODE,
        Column.ARGUMENTS, Column.REASON, Column.MEMORY_MB, Column.VCORES, Column.RESOURCES,
        Column.STARTS_IN_LOW_SECONDS, Column.STARTS_IN_HIGH_SECONDS, Column.TAKES_SLOT),
    PENDING(Column.QUEUE, Column.APPLICATION, Column.NAME, Column.ATTEMPT, Column.USER, Column.TYPE,
        Column.SINCE, Column.SECONDS, Column.CODE, Column.REASON),
    EVENTS(Column.SEQUENCE, Column.TIME, Column.QUEUE, Column.APPLICATION, Column.ATTEMPT, Column.USER,
        Column.TYPE, Column.FROM, Column.TO, Column.CODE, Column.REASON, Column.MILLISECONDS),
    PROMOTIONS(EVENTS), FORGOTTEN_PROMOTIONS, ENDED_WHILE_STARTING(EVENTS), FORGOTTEN_ENDED_WHILE_STARTING;

    private final Column[] columns;

    Attribute(Column... columns) {
      this.columns = columns;
    }

    Attribute(Attribute alike) {
      this(alike.columns);
    }

    /** Empty if it is no table. */
    public List<Column> columns() {
      return Arrays.asList(columns);
    }

    /** Whether it is a whole number; one that is no table. */
    public boolean isNumber() {
      return this == TIME || this == START_TIME
          || this == FORGOTTEN_PROMOTIONS || this == FORGOTTEN_ENDED_WHILE_STARTING;
    }

    @Override
    public String toString() {
      return words(this);
    }
  }

  /** The columns of the tables; {@code memoryMb}. */
  public enum Column {
    QUEUE, GROUP, PARTITION, APPLICATION, NAME, ATTEMPT, USER, TYPE, FROM, TO, CODE, ARGUMENTS, REASON,
    RESOURCES, LACKS, REQUESTS, TAKES_SLOT, MAX_STARTING, ORDERING, TAKE_BACK, SETTINGS,
    CHANGED_SETTINGS,
    // From here on, whole numbers.
    ACCEPTED, STARTING, RUNNING, WAITING_FOR_SLOT, WAITING_FOR_ROOM, TAKEN_BACK, PENDING_ACTIVATION,
    START_INTERVAL_LOW_SECONDS, START_INTERVAL_HIGH_SECONDS, STARTS_COUNTED, SINCE, SECONDS,
    AT_MOST_SECONDS, EXECUTORS, MIN_EXECUTORS, EARLIER_SECONDS, PLACE, PRIORITY, MEMORY_MB, VCORES,
    STARTS_IN_LOW_SECONDS, STARTS_IN_HIGH_SECONDS, SEQUENCE, TIME, MILLISECONDS;

    private final String wire = lower(this);

    public boolean isNumber() {
      return compareTo(ACCEPTED) >= 0;
    }

    @Override
    public String toString() {
      return wire;
    }
  }

  /** The names of what belongs to a code, in {@link Column#ARGUMENTS}; {@code takenBack}. */
  public enum Argument {
    GROUP, PARENT, NEXT, SECONDS, TAKEN_BACK;

    @Override
    public String toString() {
      return lower(this);
    }
  }

  /** Why an application waits for its driver; {@link #sentence} is for people, and read by no program. */
  public enum Wait {
    /** The first of its line is offered: the scheduler has no room for its driver. */
    ROOM("room"),
    PLAN_EXPECTED("the rest is kept for started applications, and AMs already hold their part"),
    PLAN_NODES("the cluster has too little room for what it is expected to need"),
    PLAN_QUEUE("its queue or a parent queue has too little room for what it is expected to need"),
    PLAN_USER("its user's limit is lower than what it is expected to need"),
    PLAN_RESERVE("room for the largest executor requested lately stays free, because the AM of a starting"
        + " application cannot be preempted"),
    SLOT("a starting slot"),
    /** A slot is free. */
    EXECUTORS("the first executors of another starting application"),
    PROGRESS("the progress of a starting application: take-back has preempted another AM to make room"),
    USER_LIMIT("Its user has reached the user limit of the queue, so YARN skips it."
        + " It holds no other application"),
    /** It waits for its next try. */
    BACK_OFF("Take-back has preempted its AM"),
    EXHAUSTED("Earlier attempts of this application have used up its starting-timeout. It comes after all"
        + " others"),
    STALLED("Its AM could not be placed within accepted-timeout, or the AM of a later application was"
        + " placed first. It comes after all others, except in short trials"),
    /** It is in YARN's own list. */
    AM_LIMIT("the AM limit (maximum-am-resource-percent)");

    /** What the application waits for, or why. */
    public final String sentence;

    Wait(String sentence) {
      this.sentence = sentence;
    }

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
  }

  /** Why an event happened. */
  public enum Event {
    AM_ALLOCATED("its AM is allocated"),
    EXECUTORS("it has its executors"),
    TIMEOUT("it has been starting for as long as the queue allows"),
    IDLE("it has requested nothing for as long as the queue allows"),
    EXEMPT("it is exempt, or has no AM container in the queue"),
    EXEMPT_NOW("it is exempt now"),
    INHERITED("it holds executors of an earlier attempt"),
    UNDETERMINED("its state cannot be determined"),
    TAKEN_BACK("take-back has preempted its AM"),
    FINISHED("it has finished"),
    KILLED("it was killed"),
    FAILED("it failed"),
    ENDED("it has ended");

    /** Why it happened, as the second half of a sentence. */
    public final String sentence;

    Event(String sentence) {
      this.sentence = sentence;
    }

    /** Whether a time limit, and nothing that the application did, made it run. */
    public boolean isByLimit() {
      return this == TIMEOUT || this == IDLE;
    }
  }

  private static String lower(Enum<?> constant) {
    return Character.toLowerCase(constant.name().charAt(0)) + words(constant).substring(1);
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
