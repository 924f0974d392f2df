// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.tool.Terminal;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code explain}: where an application stands, why, since when, and what would let it go. */
@Command(name = "explain",
    description = {
        "Where an application stands, why, and what would let it go.",
        "Also since when, when it will probably start, and what has become of it so far."},
    footer = "Exit codes: 0 explained, 1 not under Dripfeed, or not known at all, " + AskingTool.EXIT_CODES)
final class ExplainCommand extends AskingTool {

  /** Where an application can stand. */
  private enum Where { LINE, PENDING, NOT_IN_ORDER, STARTING, RUNNING, ENDED, ELSEWHERE, UNKNOWN }

  private static final int LABEL = 11;
  private static final int MOST_NAMED = 3;
  private static final List<String> BEFORE_ITS_DRIVER =
      Arrays.asList("NEW", "NEW_SAVING", "SUBMITTED", "ACCEPTED");
  private static final List<String> AFTER_ITS_END = Arrays.asList("FINISHED", "FAILED", "KILLED");
  private static final String[] FACTS = {"where", "why", "lets go", "starts"};
  private static final String COUNTS_AS_RUNNING = "It counts as running as soon as it has %s; or, at the"
      + " latest, when its starting-timeout is over";
  private static final String OF_YARN = "yarn";

  @Parameters(paramLabel = "<application>",
      description = "its id; that of one of its attempts will do, too")
  private String id;
  private Reading reading;
  private String application;
  /** The sentences, by what they answer, in the order to tell them. */
  private final Map<String, String> facts = new LinkedHashMap<>();
  /** Its events, oldest first. */
  private List<Row> events;
  private Where where;
  /** What is known of it; without columns if nothing is. */
  private Row row;
  /** Its table: {@code line}, {@code starting}, {@code pending}, {@code yarn}, {@code event}; or empty. */
  private String rowOf;
  /** Since when it stands there, in milliseconds since the epoch; -1 if that is unknown. */
  private long since;
  /** All queues that it may be in. */
  private List<String> paths;
  /** The path of its queue; if that is not certain, what YARN calls it. */
  private String path;
  private Row queue;
  /** Those of its queue's line that the table has. */
  private List<Row> line;
  /** Whether anybody in it waits for another partition than the default one. */
  private boolean isLabelled;

  @Override
  int ask() throws Problem {
    application = application(id);
    reading = read();
    events = Reading.where(reading.allKept(), event -> event.is(Column.APPLICATION, application));
    explain();
    String gap = !mayLackEvents() ? ""
        : reading.gap(Collections.emptyList(), Attribute.EVENTS, row.number("startedTime"));
    int exitCode = isUnderDripfeed() ? 0 : Problem.NOT_FOUND;
    print(document(exitCode, gap), false, lines(gap));
    return exitCode;
  }

  private List<String> lines(String gap) {
    String name = row.text(Column.NAME);
    String type = row.is(Column.TYPE, "") ? row.text("applicationType") : row.text(Column.TYPE);
    List<String> lines = new ArrayList<>();
    lines.add(terminal.in(Terminal.Colour.TITLE, application)
        + (rowOf.isEmpty() ? "" : "  " + Text.safe((name.isEmpty() ? "" : "\"" + name + "\"  ")
            + "of " + row.text(Column.USER) + (type.isEmpty() ? "" : ", " + type))));
    facts.forEach((label, text) -> {
      add(lines, label, text);
      if (label.equals("where") && since > 0) {
        add(lines, "since", Times.moment(since, reading.time) + ", for " + Times.duration(
            TimeUnit.MILLISECONDS.toSeconds(Math.max(0, reading.time - since))));
      }
    });
    String label = "so far";
    for (Row event : events) {
      add(lines, label,
          Times.moment(event.number(Column.TIME), reading.time) + "  " + event.sentence());
      label = "";
    }
    add(lines, "before", gap);
    return lines;
  }

  private void add(List<String> lines, String label, String text) {
    String before = "  " + label;
    for (String part : Text.wrap(Text.safe(text), terminal.width() - LABEL)) {
      if (!text.isEmpty()) {
        lines.add(terminal.in(Terminal.Colour.QUIET, Text.pad(before, LABEL, false)) + part);
      }
      before = "";
    }
  }

  private Map<String, Object> document(int exitCode, String gap) {
    Map<String, Object> document = answer(exitCode, reading);
    if (exitCode != 0) {
      document.put("errors", Collections.singletonList(application + ": " + facts.get("where")));
    }
    document.putAll(JsonText.document("application", application,
        "state", where.name().toLowerCase(Locale.ROOT), "since", since));
    facts.forEach((label, text) -> document.put(label.replace(" g", "G"), text));
    document.putAll(JsonText.document("rowOf", rowOf, "row", row, "gap", gap, "events", events));
    return document;
  }

  /** Asks YARN only if Dripfeed's tables lack the whole answer. */
  private void explain() throws Problem {
    if (isFound(Attribute.LINE)) {
      long place = row.number(Column.PLACE);
      tell(Where.LINE, row.number(Column.SINCE), placeInLine(place), row.text(Column.REASON),
          letsGo(place <= 1 ? "" : place == 2 ? "One application is before it. "
              : (place - 1) + " applications are before it. ", row.code()), starts());
    } else if (isFound(Attribute.STARTING)) {
      tell(Where.STARTING, row.number(Column.SINCE), "starting in " + row.text(Column.QUEUE),
          row.is(Column.LACKS, "") ? "its AM is allocated; its executors are not yet"
              : "it lacks " + row.text(Column.LACKS),
          String.format(COUNTS_AS_RUNNING, "them") + timeOfEarlierAttempts()
              + (!queue.is(Column.TAKE_BACK, "on") ? "" : ". If it and others block each other, it may lose"
                  + " its AM, and comes again as its next attempt (take-back = on)"));
    } else if (isFound(Attribute.PENDING)) {
      tell(Where.PENDING, row.number(Column.SINCE),
          "in YARN's own list, not yet in the line of " + row.text(Column.QUEUE), row.text(Column.REASON),
          "YARN activates it when an application of the queue ends, or when maximum-am-resource-percent of"
              + " the queue is raised");
    } else {
      explainByYarn(resourceManagers.application(application));
    }
  }

  private boolean isFound(Attribute table) {
    List<Row> found =
        Reading.where(reading.rows(table), each -> each.is(Column.APPLICATION, application));
    found.stream().findFirst().ifPresent(first -> know(first, table.name().toLowerCase(Locale.ROOT)));
    return !found.isEmpty();
  }

  /** YARN names a queue by all of its path, or by the end, which several may share. Events have all. */
  private void know(Row known, String table) {
    row = known;
    rowOf = table;
    String name = row.text(Column.QUEUE);
    String last = events.isEmpty() ? "" : events.get(events.size() - 1).text(Column.QUEUE);
    List<String> found = reading.queues().stream().map(each -> each.text(Column.QUEUE))
        .filter(each -> each.equals(name) || each.endsWith("." + name)).collect(Collectors.toList());
    paths = last.endsWith("." + name) ? Collections.singletonList(last)
        : found.contains(name) ? Collections.singletonList(name) : found;
    path = paths.size() == 1 ? paths.get(0) : name;
    queue = queue(path);
    line = reading.rows(Attribute.LINE, path);
    isLabelled = line.stream().anyMatch(each -> !each.is(Column.PARTITION, ""));
  }

  private void tell(Where place, long when, String... sentences) {
    where = place;
    since = when;
    for (int i = 0; i < sentences.length; i++) {
      facts.put(FACTS[i], sentences[i]);
    }
  }

  private Row queue(String name) {
    return reading.rows(Attribute.QUEUES, name).stream().findFirst().orElse(Row.none());
  }

  /** The number of those who wait in this queue beyond the table. */
  private long more(String name) {
    return Math.max(0, queue(name).number(Column.ACCEPTED) - reading.rows(Attribute.LINE, name).size());
  }

  private String placeInLine(long place) {
    String partition = row.text(Column.PARTITION);
    long size = more(path) > 0 ? line.size() + more(path)
        : Reading.where(line, each -> each.is(Column.PARTITION, partition)).size();
    // The queue counts those of all its partitions together.
    boolean isKnown = more(path) == 0 || !isLabelled;
    return (place <= 0 ? "" : "number " + place + (isKnown ? " of " + size + " " : " "))
        + "in the line of " + row.text(Column.QUEUE)
        + (partition.isEmpty() ? "" : " for partition " + partition)
        + (place <= 0 ? ", without a place for now" : "");
  }

  /** When it will, as far as anybody can say. */
  private String starts() {
    long low = row.number(Column.STARTS_IN_LOW_SECONDS);
    long counted = queue.number(Column.STARTS_COUNTED);
    Wait code = row.code();
    // The queue's row is about the line of the default partition.
    boolean ofItsLine = row.is(Column.PARTITION, "");
    if (low >= 0) {
      return "probably in " + Times.range(low, row.number(Column.STARTS_IN_HIGH_SECONDS))
          + (ofItsLine && counted > 0 ? ": " + queue.pace() : "");
    }
    return "nobody can say: " + (row.number(Column.PLACE) <= 0 ? "it has no place in line for now"
        : code != null && code.isLast() ? "it comes after all others"
        : ofItsLine && counted < Wire.FEWEST_STARTS ? "too few have started lately while others waited"
        : "the queue has not moved lately");
  }

  /** After a sentence about what comes first; of an unknown code, which is null, nothing is said. */
  private String letsGo(String first, Wait code) {
    if (code == null) {
      return "";
    } else if (code == Wait.BACK_OFF) {
      return "It is offered again when that time is over";
    } else if (code == Wait.USER_LIMIT) {
      return "Other applications of " + row.text(Column.USER) + " release resources, or user-limit-factor"
          + " of the queue is raised. It holds back no other user";
    }
    return first + (code.isOfLine() && !code.isForRoom()
        ? "A slot becomes free when one that is starting has its executors, ends, or has used up its"
            + " starting-timeout"
        : "Room for its AM" + driver() + ": containers of the queue end, or the queue or the cluster"
            + " grows") + starting();
  }

  private String driver() {
    long memory = row.number(Column.MEMORY_MB);
    long vcores = row.number(Column.VCORES);
    return memory < 0 ? "" : " (" + memory + " MB" + (vcores < 0 ? "" : ", " + Text.count(vcores, "vcore"))
        + (row.is(Column.RESOURCES, "") ? "" : ", " + row.text(Column.RESOURCES)) + ")";
  }

  /** Those who are starting in its queue, or in the group of its queue. */
  private String starting() {
    String group = queue.text(Column.GROUP);
    List<String> queues = reading.queues().stream()
        .filter(each -> each.is(Column.QUEUE, path) || !group.isEmpty() && each.is(Column.GROUP, group))
        .map(each -> each.text(Column.QUEUE)).collect(Collectors.toList());
    // Slots are of a partition; what YARN says of an application names none.
    List<Row> starting = Reading.where(reading.rows(Attribute.STARTING),
        each -> queues.contains(each.text(Column.QUEUE))
        && (rowOf.equals(OF_YARN) || each.is(Column.PARTITION, row.text(Column.PARTITION))));
    return starting.isEmpty() ? "" : ". Starting: " + starting.stream().limit(MOST_NAMED)
        .map(each -> each.text(Column.APPLICATION) + " of " + each.text(Column.USER) + " for "
            + Times.duration(each.number(Column.SECONDS)) + (each.number(Column.AT_MOST_SECONDS) < 0 ? ""
                : " (at most " + Times.duration(each.number(Column.AT_MOST_SECONDS)) + ")")
            + (each.is(Column.LACKS, "") ? "" : ", lacks " + each.text(Column.LACKS))
            + (each.is(Column.QUEUE, path) ? "" : ", in " + each.text(Column.QUEUE)))
        .collect(Collectors.joining("; "))
        + (starting.size() > MOST_NAMED ? "; and " + (starting.size() - MOST_NAMED) + " more" : "");
  }

  /** The time of all attempts adds up, but for those that were taken back; events do not tell it. */
  private String timeOfEarlierAttempts() {
    long atMost = row.number(Column.AT_MOST_SECONDS);
    long earlier = row.number(Column.EARLIER_SECONDS);
    return atMost < 0 ? "" : ": after " + Times.duration(atMost) + (row.is(Column.TAKES_SLOT, Wire.NO)
        ? ". Its earlier attempts have used up that time (" + Times.duration(earlier) + "), so it has the"
            + " same time once more, but takes no starting slot from others"
        : earlier > 0 ? ", of which its earlier attempts have used " + Times.duration(earlier) : "");
  }

  private void explainByYarn(Row yarn) {
    Row kept = events.isEmpty() ? Row.none() : events.get(events.size() - 1);
    know(yarn == null ? kept : yarn, yarn != null ? OF_YARN : events.isEmpty() ? "" : "event");
    // Some kinds are kept longer than others: what came after such an event may be forgotten.
    boolean isLast = !events.isEmpty() && kept.number(Column.TIME) >= reading.knownSince(Attribute.EVENTS);
    Row last = isLast ? kept : Row.none();
    long lastTime = last.number(Column.TIME);
    // An attempt that ended may be followed by another one; YARN knows whether the application has.
    boolean isLastEnd = last.is(Column.TO, Wire.ENDED);
    // YARN's times are 0 to those who may not view the application.
    long finished = row.number("finishedTime");
    boolean hasEnded = yarn == null ? isLastEnd || !isLast
        : AFTER_ITS_END.contains(yarn.text("state")) || finished > 0;
    boolean isStateAware =
        reading.queues().stream().anyMatch(each -> paths.contains(each.text(Column.QUEUE)));
    String diagnostics = row.text("diagnostics");
    if (rowOf.isEmpty()) {
      tell(Where.UNKNOWN, -1, "nowhere: the ResourceManager does not know it, or no longer");
    } else if (hasEnded) {
      boolean isElsewhere = events.isEmpty() && !isStateAware;
      tell(isElsewhere ? Where.ELSEWHERE : Where.ENDED, finished > 0 ? finished : isLastEnd ? lastTime : -1,
          "ended" + (yarn == null ? "" : ": " + yarn.text("finalStatus")) + " in " + pathInWords()
              + (isElsewhere ? ", of which Dripfeed knows nothing now, and no event of it is kept" : ""),
          diagnostics.isEmpty() ? last.text(Column.REASON) : diagnostics);
    } else if (!isStateAware && yarn != null) {
      tell(Where.ELSEWHERE, -1,
          row.text("state") + " in " + path + ", a queue without Dripfeed, which does not hold it",
          diagnostics);
    } else if (BEFORE_ITS_DRIVER.contains(row.text("state")) && row.number("runningContainers") <= 0
        && (!isLast || isLastEnd)) {
      // From the end of its attempt before, if that is known; else from its submission.
      long started = row.number("startedTime") > 0 ? row.number("startedTime") : -1;
      explainWithoutRow(isLast ? lastTime : started, diagnostics);
    } else if (last.is(Column.TO, Wire.STARTING)) {
      // It began to start while the tables were read one after the other, or theirs ended before it.
      tell(Where.STARTING, lastTime, "starting in " + pathInWords(), last.text(Column.REASON),
          String.format(COUNTS_AS_RUNNING, "its executors"));
    } else {
      tell(Where.RUNNING, lastTime,
          (isLastEnd ? "after " + last.sentence() : "running") + " in " + pathInWords(),
          isLast ? last.text(Column.REASON) : "past its early stage; how it got there is no longer kept");
    }
  }

  /** It waits for its driver, and no table has it: the line may be longer than its table. */
  private void explainWithoutRow(long when, String diagnostics) {
    if (paths.stream().anyMatch(each -> more(each) > 0)) {
      String shown = line.isEmpty() ? "" : "the first "
          + String.format(Locale.ROOT, "%,d place%s", line.size(), line.size() == 1 ? "" : "s");
      boolean forRoom = queue.number(Column.WAITING_FOR_ROOM) > 0;
      boolean forSlot = queue.number(Column.WAITING_FOR_SLOT) > 0;
      tell(Where.LINE, when, "in the line of " + pathInWords() + (more(path) == 0 ? ""
              : shown.isEmpty() ? ": the table of lines ended before this queue" : ", beyond " + shown)
              + (queue.number(Column.PENDING_ACTIVATION) > reading.rows(Attribute.PENDING, path).size()
              ? ", or in YARN's own list" : ""),
          !diagnostics.isEmpty() ? diagnostics : "YARN does not say yet. It is in the line, unless"
              + " max-parallel-apps keeps it out of the order of its queue",
          letsGo(more(path) == 0 || isLabelled || shown.isEmpty() ? "" : "First those of " + shown + ". ",
              forRoom == forSlot ? null : forRoom ? Wait.ROOM : Wait.SLOT),
          "nobody can say: its place is not known");
    } else {
      tell(Where.NOT_IN_ORDER, when, "accepted by YARN, and not yet in the line of " + pathInWords(),
          !diagnostics.isEmpty() ? diagnostics : "YARN does not say. It keeps those beyond"
              + " max-parallel-apps out of the order of their queue",
          "With max-parallel-apps: an application of the queue, of a queue above it or of its user ends, or"
              + " that limit is raised");
    }
  }

  private boolean isUnderDripfeed() {
    return where.compareTo(Where.ENDED) <= 0;
  }

  private String pathInWords() {
    return path + (paths.size() <= 1 ? "" : ", as several paths end ("
        + Text.some(paths, MOST_NAMED) + "): YARN does not say which");
  }

  /** Whether more may have happened to it than the events tell, because they were not kept so long. */
  private boolean mayLackEvents() {
    Row first = events.isEmpty() ? row : events.get(0);
    String attempt = first.text(Column.ATTEMPT);
    return isUnderDripfeed() && (!attempt.isEmpty() && !attempt.endsWith("_000001")
            || (events.isEmpty() ? where.compareTo(Where.STARTING) >= 0
            // After a failover and back, another one was active between its events.
            : !first.is(Column.FROM, Wire.ACCEPTED) || first.number(Column.TIME) < reading.activeSince));
  }
}
