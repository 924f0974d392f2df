// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.core.forecast.StartForecast;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.terminal.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Where an application stands, why, since when, and what would let it go. */
final class Explanation {

  /** Something that YARN knows of an application. */
  interface Yarn {

    /** The row of YARN's REST API; null if YARN does not know the application. */
    Row application() throws Problem;
  }

  /** Where an application can stand. */
  enum Where { LINE, STARTING, PENDING, NOT_IN_ORDER, RUNNING, ENDED, ELSEWHERE, UNKNOWN }

  private static final int MOST_NAMED = 3;
  /** What Dripfeed writes into the diagnostics of those in its line, among YARN's own words. */
  private static final Pattern HELD =
      Pattern.compile("(?s).*?" + Wire.HELD_BY + "[^:]{1,200}: (.*?)(?: Details : .*)?");
  private static final List<String> BEFORE_ITS_DRIVER =
      Arrays.asList("NEW", "NEW_SAVING", "SUBMITTED", "ACCEPTED");
  private static final List<String> AFTER_ITS_END = Arrays.asList("FINISHED", "FAILED", "KILLED");
  private static final String FIRST_ATTEMPT = "_000001";
  private static final String OF_YARN = "yarn";
  private static final String WHY = "why";
  private static final String LETS_GO = "lets go";

  private final Reading reading;
  private final String application;
  private final List<Row> events;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private Where where;
  private Row row;
  private String rowOf = "";
  private long since = -1;

  /** @param yarn asked only if Dripfeed's tables do not have the whole answer */
  Explanation(Reading reading, String application, Yarn yarn) throws Problem {
    this.reading = reading;
    this.application = application;
    this.events = Reading.where(reading.allKept(), event -> event.is(Column.APPLICATION, application));
    if (!isFound(Where.LINE, reading.rows(Attribute.LINE))
        && !isFound(Where.STARTING, reading.rows(Attribute.STARTING))
        && !isFound(Where.PENDING, reading.rows(Attribute.PENDING))) {
      explainByYarn(yarn.application());
      return;
    }
    since = row.number(Column.SINCE);
    if (where == Where.LINE) {
      explainLine();
    } else if (where == Where.STARTING) {
      explainStarting();
    } else {
      facts.put("where", "in YARN's own list, not yet in the line of " + row.text(Column.QUEUE));
      facts.put(WHY, row.text(Column.REASON));
      facts.put(LETS_GO, "YARN activates it when an application of the queue ends, or when"
          + " maximum-am-resource-percent of the queue is raised");
    }
  }

  private boolean isFound(Where place, List<Row> table) {
    for (Row each : table) {
      if (each.is(Column.APPLICATION, application)) {
        where = place;
        row = each;
        rowOf = place.name().toLowerCase(Locale.ROOT);
        return true;
      }
    }
    return false;
  }

  private void explainLine() {
    String partition = row.text(Column.PARTITION);
    long place = row.number(Column.PLACE);
    long size = line(path()).size(partition);
    facts.put("where", (place <= 0 ? "" : "number " + place + (size < 0 ? " " : " of " + size + " "))
        + "in the line of " + row.text(Column.QUEUE)
        + (partition.isEmpty() ? "" : " for partition " + partition)
        + (place <= 0 ? ", without a place for now" : ""));
    facts.put(WHY, row.text(Column.REASON));
    facts.put(LETS_GO, letsGo(
        place <= 1 ? "" : place == 2 ? "First the one before it. " : "First the " + (place - 1)
            + " before it. ", code()));
    facts.put("starts", starts());
  }

  /** When it will, as far as anybody can say. */
  private String starts() {
    long low = row.number(Column.STARTS_IN_LOW_SECONDS);
    Row queue = queue(path());
    long counted = queue == null ? 0 : queue.number(Column.STARTS_COUNTED);
    // The queue's row is about the line of the default partition.
    boolean ofItsLine = row.text(Column.PARTITION).isEmpty();
    if (low >= 0) {
      return "probably in " + Times.range(low, row.number(Column.STARTS_IN_HIGH_SECONDS))
          + (ofItsLine && counted > 0 ? ": " + queue.pace() : "");
    }
    String why = "the queue has not moved lately";
    if (row.number(Column.PLACE) <= 0) {
      why = "it has no place in line for now";
    } else if (code() != null && code().isLast()) {
      why = "it comes after all others";
    } else if (ofItsLine && counted < StartForecast.FEWEST) {
      why = "too few have started lately while others waited";
    }
    return "nobody can say: " + why;
  }

  /**
   * @param first what comes before, as a sentence
   * @param code null if it is unknown; then nothing is said
   */
  private String letsGo(String first, Wait code) {
    if (code == null) {
      return "";
    } else if (code == Wait.BACK_OFF) {
      return "It is offered again when that time is over";
    } else if (code == Wait.USER_LIMIT) {
      return "Other applications of " + row.text(Column.USER) + " release resources, or user-limit-factor"
          + " of the queue is raised. It holds back no other user";
    } else if (code.isOfLine() && !code.isForRoom()) {
      return first + "A slot becomes free when one that is starting has its executors, ends, or has used up"
          + " its starting-timeout" + starting();
    }
    return first + "Room for its driver" + driver() + ": containers of the queue end, or the queue or the"
        + " cluster grows" + starting();
  }

  private Wait code() {
    return Wait.of(row.text(Column.CODE));
  }

  /** What the lines of its queue wait for, as the queue counts it; null if that differs, or is unknown. */
  private Wait codeOfLine() {
    Row queue = queue(path());
    boolean forRoom = queue != null && queue.number(Column.WAITING_FOR_ROOM) > 0;
    boolean forSlot = queue != null && queue.number(Column.WAITING_FOR_SLOT) > 0;
    return forRoom == forSlot ? null : forRoom ? Wait.ROOM : Wait.SLOT;
  }

  private String driver() {
    long memory = row.number(Column.MEMORY_MB);
    long vcores = row.number(Column.VCORES);
    return memory < 0 ? "" : " (" + memory + " MB"
        + (vcores < 0 ? "" : ", " + Wording.count(vcores, "vcore"))
        + (row.text(Column.RESOURCES).isEmpty() ? "" : ", " + row.text(Column.RESOURCES)) + ")";
  }

  /** Those who are starting in its queue, or in the group of its queue. */
  private String starting() {
    String path = path();
    Row own = queue(path);
    String group = own == null ? "" : own.text(Column.GROUP);
    List<String> queues = Reading.where(reading.queues(), each -> each.is(Column.QUEUE, path)
        || !group.isEmpty() && each.is(Column.GROUP, group)).stream()
        .map(each -> each.text(Column.QUEUE)).collect(Collectors.toList());
    // Slots are of a partition; what YARN says of an application names none.
    List<Row> starting = Reading.where(reading.rows(Attribute.STARTING),
        each -> queues.contains(each.text(Column.QUEUE))
            && (rowOf.equals(OF_YARN) || each.is(Column.PARTITION, row.text(Column.PARTITION))));
    return starting.isEmpty() ? "" : ". Starting: " + starting.stream().limit(MOST_NAMED)
        .map(each -> each.text(Column.APPLICATION) + " of " + each.text(Column.USER) + " for "
            + Times.duration(each.number(Column.SECONDS)) + (each.number(Column.AT_MOST_SECONDS) < 0 ? ""
                : " (at most " + Times.duration(each.number(Column.AT_MOST_SECONDS)) + ")")
            + (each.text(Column.LACKS).isEmpty() ? "" : ", lacks " + each.text(Column.LACKS))
            + (each.is(Column.QUEUE, path) ? "" : ", in " + each.text(Column.QUEUE)))
        .collect(Collectors.joining("; "))
        + (starting.size() > MOST_NAMED ? "; and " + (starting.size() - MOST_NAMED) + " more" : "");
  }

  private Row queue(String path) {
    List<Row> found = reading.rows(Attribute.QUEUES, path);
    return found.isEmpty() ? null : found.get(0);
  }

  private QueueLine line(String path) {
    Row queue = queue(path);
    return new QueueLine(
        reading.rows(Attribute.LINE, path), queue == null ? -1 : queue.number(Column.ACCEPTED));
  }

  private void explainStarting() {
    facts.put("where", "starting in " + row.text(Column.QUEUE));
    facts.put(WHY, row.text(Column.LACKS).isEmpty() ? "its driver is allocated; its executors are not yet"
        : "it lacks " + row.text(Column.LACKS));
    facts.put(LETS_GO, "It counts as running as soon as it has them; or, at the latest, when its"
        + " starting-timeout is over" + timeOfEarlierAttempts(row.number(Column.AT_MOST_SECONDS))
        + takenBack());
  }

  /** How it may lose its driver instead. */
  private String takenBack() {
    Row queue = queue(path());
    if (queue == null) {
      return "";
    }
    return (queue.is(Column.STARTING_TIMEOUT_ACTION, "take-back")
            ? ". If others wait for its room then, it loses its driver instead, and comes again as its next"
                + " attempt (starting-timeout-action = take-back)" : "")
        + (queue.is(Column.TAKE_BACK, "on")
            ? ". If it and others block each other, it may lose its driver before (take-back = on)" : "");
  }

  /** The time of all attempts adds up, but for those that were taken back. */
  private String timeOfEarlierAttempts(long atMost) {
    if (atMost < 0) {
      return "";
    }
    // Events would tell time that does not count, and not all that does.
    long earlier = row.number(Column.EARLIER_SECONDS);
    if (row.is(Column.TAKES_SLOT, Wire.NO)) {
      return ": after " + Times.duration(atMost) + ". Its earlier attempts have used up that time ("
          + Times.duration(earlier) + "), so it has the same time once more, but takes no starting slot"
          + " from others";
    }
    return ": after " + Times.duration(atMost) + (earlier > 0 ? ", of which its earlier attempts have used "
        + Times.duration(earlier) : "");
  }

  private void explainByYarn(Row yarn) {
    Row kept = events.isEmpty() ? null : events.get(events.size() - 1);
    row = yarn == null ? kept : yarn;
    rowOf = yarn != null ? OF_YARN : kept == null ? "" : "event";
    // Some kinds are kept longer than others: what came after such an event may be forgotten.
    boolean isLast = kept != null && kept.number(Column.TIME) >= reading.knownSince(Attribute.EVENTS);
    Row last = isLast ? kept : null;
    // An attempt that ended may be followed by another one; YARN knows whether the application has.
    boolean isLastEnd = last != null && last.is(Column.TO, Wire.ENDED);
    boolean hasEnded = yarn == null ? isLastEnd || kept != null && !isLast
        : AFTER_ITS_END.contains(yarn.text("state")) || time(yarn, "finishedTime") > 0;
    if (row == null) {
      where = Where.UNKNOWN;
      facts.put("where", "nowhere: the ResourceManager does not know it, or no longer");
    } else if (hasEnded) {
      boolean isElsewhere = kept == null && !isStateAware();
      where = isElsewhere ? Where.ELSEWHERE : Where.ENDED;
      since = yarn == null ? -1 : time(yarn, "finishedTime");
      since = since < 0 && isLastEnd ? last.number(Column.TIME) : since;
      facts.put("where", "ended" + (yarn == null ? "" : ": " + yarn.text("finalStatus"))
          + " in " + pathInWords() + (isElsewhere
              ? ", of which Dripfeed knows nothing now, and no event of it is kept" : ""));
      facts.put(WHY, yarn == null || yarn.text("diagnostics").isEmpty()
          ? last == null ? "" : last.text(Column.REASON) : yarn.text("diagnostics"));
    } else if (!isStateAware() && (yarn != null || last == null)) {
      where = Where.ELSEWHERE;
      facts.put("where", row.text("state") + " in " + path() + (reading.queues().isEmpty()
          ? ". No queue under Dripfeed has an application yet, or the ResourceManager still recovers them"
          : ", a queue without Dripfeed, which does not hold it"));
      // Soon cleared: what the queue's policy before wrote.
      facts.put(WHY, HELD.matcher(row.text("diagnostics")).matches() ? "" : row.text("diagnostics"));
    } else if (yarn != null && isBeforeItsDriver(yarn)
        && (last == null || isLastEnd)) {
      // From the end of its attempt before, if that is known; else from its submission.
      since = last == null ? time(row, "startedTime") : last.number(Column.TIME);
      explainWithoutRow();
    } else if (last != null && last.is(Column.TO, Wire.STARTING)) {
      // It began to start while the tables were read one after the other, or theirs ended before it.
      where = Where.STARTING;
      since = last.number(Column.TIME);
      facts.put("where", "starting in " + pathInWords());
      facts.put(WHY, last.text(Column.REASON));
      facts.put(LETS_GO, "It counts as running as soon as it has its executors; or, at the latest, when its"
          + " starting-timeout is over");
    } else {
      where = Where.RUNNING;
      since = last == null ? -1 : last.number(Column.TIME);
      facts.put("where", (isLastEnd ? "after " + EventsText.sentence(last) : "running")
          + " in " + pathInWords());
      facts.put(WHY, last == null ? "past its early stage; how it got there is no longer kept"
          : last.text(Column.REASON));
    }
  }

  /** A time of YARN's, which is 0 to those who may not view the application; -1 if it is unknown. */
  private static long time(Row yarn, String column) {
    long time = yarn.number(column);
    return time > 0 ? time : -1;
  }

  /** It waits for its driver, and no table has it: the line may be longer than its table. */
  private void explainWithoutRow() {
    QueueLine line = line(path());
    Matcher held = HELD.matcher(row.text("diagnostics"));
    if (held.matches() || row.text("diagnostics").isEmpty()
        && paths().stream().anyMatch(path -> line(path).more() > 0)) {
      where = Where.LINE;
      String shown = line.rows().isEmpty() ? "" : "the first " + Wording.places(line.rows().size());
      facts.put("where", "in the line of " + pathInWords() + (line.more() == 0 ? ""
          : shown.isEmpty() ? ": the table of lines ended before this queue" : ", beyond " + shown));
      facts.put(WHY, held.matches() ? held.group(1) : "YARN does not say yet. It is in the line, unless"
          + " max-parallel-apps keeps it out of the order of its queue");
      facts.put(LETS_GO, letsGo(line.more() == 0 || line.isLabelled() || shown.isEmpty() ? ""
          : "First those of " + shown + ". ", codeOfLine()));
      facts.put("starts", "nobody can say: its place is not known");
    } else {
      where = Where.NOT_IN_ORDER;
      facts.put("where", "accepted by YARN, and not yet in the line of " + pathInWords());
      facts.put(WHY, row.text("diagnostics").isEmpty()
          ? "YARN does not say. It keeps those beyond max-parallel-apps out of the order of their queue"
          : row.text("diagnostics"));
      facts.put(LETS_GO, "With max-parallel-apps: an application of the queue, of a queue above it or of"
          + " its user ends, or that limit is raised");
    }
  }

  /** Whether YARN has no container of it yet, as far as the caller may know. */
  private static boolean isBeforeItsDriver(Row yarn) {
    return BEFORE_ITS_DRIVER.contains(yarn.text("state")) && yarn.number("runningContainers") <= 0;
  }

  private boolean isStateAware() {
    List<String> paths = paths();
    return reading.queues().stream().anyMatch(each -> paths.contains(each.text(Column.QUEUE)));
  }

  /**
   * The queue that it is in, or all of Dripfeed's that it may be in: YARN names a queue by the last part of
   * its path, which several may share, or by all of it. Events have all of it.
   */
  private List<String> paths() {
    String queue = row.text(Column.QUEUE);
    String last = events.isEmpty() ? "" : events.get(events.size() - 1).text(Column.QUEUE);
    List<String> found = reading.queues().stream().map(each -> each.text(Column.QUEUE))
        .filter(each -> each.equals(queue) || each.endsWith("." + queue)).collect(Collectors.toList());
    return last.endsWith("." + queue) ? Collections.singletonList(last)
        : found.contains(queue) ? Collections.singletonList(queue) : found;
  }

  /** The path of its queue; if that is not certain, what YARN calls it. */
  private String path() {
    List<String> paths = paths();
    return paths.size() == 1 ? paths.get(0) : row.text(Column.QUEUE);
  }

  private String pathInWords() {
    List<String> paths = paths();
    return path() + (paths.size() <= 1 ? "" : ", as several paths end ("
        + paths.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (paths.size() > MOST_NAMED ? " and " + (paths.size() - MOST_NAMED) + " more" : "")
        + "): YARN does not say which");
  }

  Where where() {
    return where;
  }

  /** What is known of it; null if nothing is. */
  Row row() {
    return row;
  }

  /**
   * What the row is one of: Dripfeed's tables {@code line}, {@code starting} and {@code pending}, YARN's
   * applications ({@code yarn}), or its events ({@code event}). Empty without a row.
   */
  String rowOf() {
    return rowOf;
  }

  /** Since when it stands there, in milliseconds since the epoch; -1 if that is unknown. */
  long since() {
    return since;
  }

  /** The sentences, by what they answer, in the order to tell them. */
  Map<String, String> facts() {
    return facts;
  }

  /** Its events, oldest first. */
  List<Row> events() {
    return events;
  }

  /** What is not known of the time before its first event; empty if nothing is missing. */
  String gap() {
    return mayLackEvents() ? new KnownEvents(reading, Collections.emptyList(), Attribute.EVENTS)
        .gap(row.number("startedTime")) : "";
  }

  /** Whether more may have happened to it than the events tell, because they were not kept so long. */
  private boolean mayLackEvents() {
    if (where == Where.UNKNOWN || where == Where.ELSEWHERE) {
      return false;
    }
    Row first = events.isEmpty() ? row : events.get(0);
    String attempt = first.text(Column.ATTEMPT);
    if (!attempt.isEmpty() && !attempt.endsWith(FIRST_ATTEMPT)) {
      return true;
    }
    // After a failover and back, another one was active between its events.
    return events.isEmpty() ? where == Where.STARTING || where == Where.RUNNING || where == Where.ENDED
        : !first.is(Column.FROM, Wire.ACCEPTED) || first.number(Column.TIME) < reading.activeSince();
  }
}
