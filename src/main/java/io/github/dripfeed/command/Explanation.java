/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Problem;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.command.terminal.Times;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
  private static final List<String> BEFORE_ITS_DRIVER =
      Arrays.asList("NEW", "NEW_SAVING", "SUBMITTED", "ACCEPTED");
  private static final String WHY = "why";
  private static final String LETS_GO = "lets go";

  private final Reading reading;
  private final String application;
  private final List<Row> events;
  private final Map<String, String> facts = new LinkedHashMap<>();
  private Where where;
  private Row row;
  private long since = -1;

  /** @param yarn asked only if Dripfeed's tables do not have the whole answer */
  Explanation(Reading reading, String application, Yarn yarn) throws Problem {
    this.reading = reading;
    this.application = application;
    this.events = Reading.where(reading.events(), event -> event.is("application", application));
    if (!isFound(Where.LINE, reading.line()) && !isFound(Where.STARTING, reading.starting())
        && !isFound(Where.PENDING, reading.pending())) {
      explainByYarn(yarn.application());
      return;
    }
    since = row.number("since");
    if (where == Where.LINE) {
      explainLine();
    } else if (where == Where.STARTING) {
      explainStarting();
    } else {
      facts.put("where", "in YARN's own list, not yet in the line of " + row.text("queue"));
      facts.put(WHY, row.text("reason"));
      facts.put(LETS_GO, "YARN activates it when an application of the queue ends, or when"
          + " maximum-am-resource-percent of the queue is raised");
    }
  }

  private boolean isFound(Where place, List<Row> table) {
    for (Row each : table) {
      if (each.is("application", application)) {
        where = place;
        row = each;
        return true;
      }
    }
    return false;
  }

  private void explainLine() {
    String queue = row.text("queue");
    long before = Math.max(0, row.number("place") - 1);
    facts.put("where", (row.number("place") > 0 ? "number " + row.text("place") + " of " : "in ")
        + Reading.of(queue, reading.line()).size() + " in the line of " + queue);
    facts.put(WHY, Wording.reason(row));
    facts.put(LETS_GO, letsGo(before));
    long low = row.number("startsInLowSeconds");
    Row settings = queue();
    boolean moves = low >= 0 && settings != null && settings.number("startsCounted") > 0;
    facts.put("starts", low < 0
        ? "nobody can say: the queue has not moved lately"
        : "probably in " + Times.range(low, row.number("startsInHighSeconds")) + (moves
            ? ": the last " + Wording.count(settings.number("startsCounted"), "start") + " came "
                + Times.apart(settings.number("startIntervalLowSeconds"),
                    settings.number("startIntervalHighSeconds")) : ""));
  }

  private String letsGo(long before) {
    String reason = row.text("reason").toLowerCase(Locale.ROOT);
    String first = before == 0 ? "" : "First " + (before == 1 ? "the one" : "the " + before)
        + " before it. ";
    if (reason.contains("was taken back") && reason.contains("next try in")) {
      return "It is offered again when that time is over";
    } else if (reason.contains("user limit") || reason.contains("user capacity")) {
      return "Other applications of " + row.text("user") + " release resources, or user-limit-factor of"
          + " the queue is raised. It holds back no other user";
    } else if (reason.contains("starting slot") || reason.contains("first executors")
        || reason.contains("progress of a starting")) {
      return first + "A slot becomes free when one that is starting has its executors, ends, or has used up"
          + " its starting-timeout" + starting();
    }
    return first + "Room for its driver" + driver() + ": containers of the queue end, or the queue or the"
        + " cluster grows" + starting();
  }

  private String driver() {
    long memory = row.number("memoryMb");
    long vcores = row.number("vcores");
    return memory < 0 ? "" : " (" + memory + " MB"
        + (vcores < 0 ? "" : ", " + Wording.count(vcores, "vcore"))
        + (row.text("resources").isEmpty() ? "" : ", " + row.text("resources")) + ")";
  }

  /** Those who are starting in its queue, or in the group of its queue. */
  private String starting() {
    Row own = queue();
    String group = own == null ? "" : own.text("group");
    List<String> queues = Reading.where(reading.queues(), each -> each.is("queue", row.text("queue"))
        || !group.isEmpty() && each.is("group", group)).stream()
        .map(each -> each.text("queue")).collect(Collectors.toList());
    List<Row> starting =
        Reading.where(reading.starting(), each -> queues.contains(each.text("queue")));
    return starting.isEmpty() ? "" : ". Starting: " + starting.stream().limit(MOST_NAMED)
        .map(each -> each.text("application") + " of " + each.text("user") + " for "
            + Times.duration(each.number("seconds")) + (each.number("atMostSeconds") < 0 ? ""
                : " (at most " + Times.duration(each.number("atMostSeconds")) + ")")
            + (each.text("lacks").isEmpty() ? "" : ", lacks " + each.text("lacks"))
            + (each.is("queue", row.text("queue")) ? "" : ", in " + each.text("queue")))
        .collect(Collectors.joining("; "))
        + (starting.size() > MOST_NAMED ? "; and " + (starting.size() - MOST_NAMED) + " more" : "");
  }

  private Row queue() {
    List<Row> found = Reading.of(row.text("queue"), reading.queues());
    return found.isEmpty() ? null : found.get(0);
  }

  private void explainStarting() {
    facts.put("where", "starting in " + row.text("queue"));
    facts.put(WHY, row.text("lacks").isEmpty() ? "its driver is allocated; its executors are not yet"
        : "it lacks " + row.text("lacks"));
    facts.put(LETS_GO, "It counts as running as soon as it has them; or, at the latest, when its"
        + " starting-timeout is over" + timeOfEarlierAttempts(row.number("atMostSeconds")));
  }

  /** The time of all attempts adds up, but for those that were taken back. */
  private String timeOfEarlierAttempts(long atMost) {
    if (atMost < 0) {
      return "";
    }
    long earlier = TimeUnit.MILLISECONDS.toSeconds(events.stream()
        .filter(event -> event.is("from", "STARTING") && !event.is("attempt", row.text("attempt"))
            && !EventReason.TAKEN_BACK.matches(event))
        .mapToLong(event -> Math.max(0, event.number("milliseconds"))).sum());
    if (earlier >= atMost) {
      return ": after " + Times.duration(atMost) + ". Its earlier attempts have used up that time ("
          + Times.duration(earlier) + "), so it has the same time once more, but takes no starting slot"
          + " from others";
    }
    return ": after " + Times.duration(atMost) + (earlier > 0 ? ", of which its earlier attempts have used "
        + Times.duration(earlier) : "");
  }

  private void explainByYarn(Row yarn) {
    Row last = events.isEmpty() ? null : events.get(events.size() - 1);
    row = yarn == null ? last : yarn;
    // An attempt that ended may be followed by another one; YARN knows whether the application has.
    boolean hasEnded = yarn == null ? last != null && last.is("to", "ENDED")
        : yarn.number("finishedTime") > 0;
    if (row == null) {
      where = Where.UNKNOWN;
      facts.put("where", "nowhere: the ResourceManager does not know it, or no longer");
    } else if (hasEnded) {
      where = Where.ENDED;
      since = yarn == null ? last.number("time") : yarn.number("finishedTime");
      facts.put("where", "ended" + (yarn == null ? "" : ": " + yarn.text("finalStatus"))
          + " in " + path(row.text("queue")));
      facts.put(WHY, yarn == null || yarn.text("diagnostics").isEmpty()
          ? last == null ? "" : last.text("reason") : yarn.text("diagnostics"));
    } else if (last == null && !isStateAware(row.text("queue"))) {
      where = Where.ELSEWHERE;
      facts.put("where", row.text("state") + " in " + row.text("queue")
          + ", a queue without Dripfeed, which does not hold it");
      facts.put(WHY, row.text("diagnostics"));
    } else if (yarn != null && isBeforeItsDriver(yarn) && (last == null || last.is("to", "ENDED"))) {
      where = Where.NOT_IN_ORDER;
      facts.put("where", "accepted by YARN, and not yet in the line of " + path(row.text("queue")));
      facts.put(WHY, row.text("diagnostics").isEmpty()
          ? "YARN does not say. It keeps those beyond max-parallel-apps out of the order of their queue"
          : row.text("diagnostics"));
      facts.put(LETS_GO, "With max-parallel-apps: an application of the queue, of a queue above it or of"
          + " its user ends, or that limit is raised");
    } else {
      where = Where.RUNNING;
      since = last == null ? -1 : last.number("time");
      facts.put("where", (last != null && !last.is("to", "RUNNING")
          ? "after " + EventsText.sentence(last) : "running") + " in " + path(row.text("queue")));
      facts.put(WHY, last == null ? "past its early stage; how it got there is no longer kept"
          : last.text("reason"));
    }
  }

  /** Whether YARN has no container of it yet, as far as the caller may know. */
  private static boolean isBeforeItsDriver(Row yarn) {
    return BEFORE_ITS_DRIVER.contains(yarn.text("state")) && yarn.number("runningContainers") <= 0;
  }

  /** YARN names a queue by the last part of its path, or by all of it. */
  private boolean isStateAware(String queue) {
    String path = path(queue);
    return reading.queues().stream().anyMatch(each -> each.is("queue", path));
  }

  private String path(String queue) {
    return reading.queues().stream().map(each -> each.text("queue"))
        .filter(each -> each.equals(queue) || each.endsWith("." + queue)).findFirst().orElse(queue);
  }

  Where where() {
    return where;
  }

  /** What is known of it; null if nothing is. */
  Row row() {
    return row;
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
}
