// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.ordering;

import io.github.dripfeed.core.admission.AdmissionLineView;
import io.github.dripfeed.core.admission.AttemptView;
import io.github.dripfeed.core.admission.State;
import io.github.dripfeed.observe.QueueReport;
import io.github.dripfeed.observe.Sentences;
import io.github.dripfeed.wire.Wire.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.SchedulableEntity;

/**
 * The text about a queue on the scheduler's page: its state, who is starting, who is next, and the settings
 * that differ from their defaults. Each line of the text is a line of the page. YARN's table does not
 * wrap for the window, so no line is longer than a window of 1,500 pixels holds.
 */
final class QueueInformation<S extends SchedulableEntity> {

  /** The longest line, in characters: at YARN's font, two thirds of 1,500 pixels. */
  static final int WIDTH = 120;
  /** The number of starting applications that are named. */
  private static final int STARTING_SHOWN = 6;
  /** The number of partitions that are described. */
  private static final int PARTITIONS_SHOWN = 8;
  /** The longest value of a setting, in characters. */
  private static final int VALUE_SHOWN = 60;
  private static final String INDENT = "  ";
  private static final String SEPARATOR = ", ";

  private final List<String> lines = new ArrayList<>();

  /**
   * @param name of the policy
   * @param failures the number of internal errors
   */
  QueueInformation(String name, QueueReport<S> report, long failures) {
    Map<State, Integer> counts = report.counts;
    List<String> state = new ArrayList<>();
    state.add(counts.get(State.ACCEPTED) + " accepted, " + counts.get(State.STARTING) + " starting, "
        + counts.get(State.RUNNING) + " running");
    if (report.backingOff > 0) {
      state.add(report.backingOff == 1 ? "1 waits for its next try after take-back"
          : report.backingOff + " wait for their next try after take-back");
    }
    if (report.notActivated > 0) {
      state.add(Sentences.notActivated(report.notActivated));
    }
    if (failures > 0) {
      state.add("failures of all queues: " + failures);
    }
    add(name + ": ", state, "; ");
    int partitions = 0;
    for (AdmissionLineView<S> line : report.lines) {
      if (++partitions > PARTITIONS_SHOWN) {
        lines.add("More partitions are not shown");
        break;
      }
      addLine(line, report.now);
    }
    List<String> settings = new ArrayList<>();
    report.configuration.changed().forEach((property, value) -> settings.add(property + "="
        + (value.length() <= VALUE_SHOWN ? value : value.substring(0, VALUE_SHOWN) + "...")));
    add("Settings: ", settings.isEmpty() ? Arrays.asList("all defaults") : settings, SEPARATOR);
  }

  private void addLine(AdmissionLineView<S> line, long now) {
    String where = line.partition.isEmpty() ? "" : " in partition " + line.partition;
    addFirst("Starting" + where + ": ", line.starting(),
        one -> one.item().getId() + Sentences.inQueue(line, one.item()) + " for "
            + TimeUnit.MILLISECONDS.toSeconds(Math.max(0, one.millisInState(now))) + " s");
    addFirst("With a node reserved for the AM" + where + ": ", line.reservedBeside,
        each -> each.getId() + Sentences.inQueue(line, each));
    AttemptView<S> next = next(line, now);
    if (next != null) {
      String text = next.item().getId() + ", waits for " + Sentences.waitsFor(line)
          + Sentences.shortage(line.waitsFor);
      add("Next" + where + ": ", Arrays.asList(text.split(" ")), " ");
    }
  }

  /** Adds the first of these, and the number of the others; nothing if there is none. */
  private <T> void addFirst(String title, Collection<T> all, Function<T, String> text) {
    if (!all.isEmpty()) {
      List<String> shown =
          all.stream().limit(STARTING_SHOWN).map(text).collect(Collectors.toCollection(ArrayList::new));
      if (all.size() > STARTING_SHOWN) {
        shown.add("and " + (all.size() - STARTING_SHOWN) + " more");
      }
      add(title, shown, SEPARATOR);
    }
  }

  /** The first of the line that is offered when its turn comes; null if there is none. */
  private static <S> AttemptView<S> next(AdmissionLineView<S> line, long now) {
    Predicate<AttemptView<S>> skipped = line.skipped();
    for (AttemptView<S> attempt : line.waiting) {
      boolean isSkipped = line.waitsFor.code() == Wait.ROOM && skipped.test(attempt);
      if (!attempt.isBackingOff(now) && !isSkipped) {
        return attempt;
      }
    }
    return null;
  }

  /** Adds the items behind the title, on as many lines as they need. */
  private void add(String title, List<String> items, String separator) {
    String end = separator.trim();
    StringBuilder line = new StringBuilder(title);
    boolean isFirst = true;
    for (String item : items) {
      int more = separator.length() + item.length() + end.length();
      if (!isFirst && line.length() + more > WIDTH) {
        addCut(line + end);
        line = new StringBuilder(INDENT);
      } else if (!isFirst) {
        line.append(separator);
      }
      line.append(item);
      isFirst = false;
    }
    addCut(line.toString());
  }

  /** Adds a line. A name that is too long for one, such as the path of a queue, goes on in the next. */
  private void addCut(String line) {
    String rest = line;
    while (rest.length() > WIDTH) {
      lines.add(rest.substring(0, WIDTH));
      rest = INDENT + rest.substring(WIDTH);
    }
    lines.add(rest);
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
