// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.wire.Wire.Attribute;
import io.github.dripfeed.wire.Wire.Column;
import io.github.dripfeed.wire.Wire.Event;
import io.github.dripfeed.wire.Wire.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the commands decide comes from codes: sentences are for people, and may say anything. */
class CodesTest extends CommandFixture {

  private static final String GARBAGE = "§ user limit, was taken back, next try in, comes after all others,"
      + " has its executors, a starting slot";

  private List<JsonNode> explained() throws Exception {
    List<JsonNode> decisions = new ArrayList<>();
    for (int number = 12; number <= 16; number++) {
      JsonNode explained = run("explain", FakeResourceManager.id(number), "--json").json();
      assertThat(explained.at("/state").asText()).isNotEmpty();
      decisions.add(explained.path("letsGo"));
      decisions.add(explained.path("starts"));
    }
    return decisions;
  }

  private List<JsonNode> selected() throws Exception {
    List<JsonNode> decisions = new ArrayList<>();
    decisions.add(run("events", "--summary", "user,type", "--json").json().path("groups"));
    for (EventsCommand.Reason reason : EventsCommand.Reason.values()) {
      JsonNode events = run("events", "--reason", reason.name(), "--json").json().path("events");
      events.forEach(event -> decisions.add(event.path("sequence")));
    }
    return decisions;
  }

  private void say(String table, String sentence) {
    rm.bean.path(table).forEach(row -> ((ObjectNode) row).put("reason", sentence));
  }

  @ParameterizedTest
  @EnumSource(Wait.class)
  void sentencesOfWaitsDecideNothing(Wait code) throws Exception {
    rm.busy();
    rm.bean.path("Line").forEach(row -> ((ObjectNode) row).put("code", code.name())
        .put("startsInLowSeconds", -1));
    say("Line", code.sentence);
    List<JsonNode> decided = explained();
    say("Line", GARBAGE);
    say("Events", GARBAGE);
    assertThat(explained()).isEqualTo(decided);
    assertThat(oneLine("explain " + FakeResourceManager.id(13))).contains(GARBAGE);
  }

  @Test
  void sentencesOfEventsDecideNothing() throws Exception {
    rm.busy();
    for (Event event : Event.values()) {
      rm.event(30, 50, "eve", "STARTING " + (event.compareTo(Event.TAKEN_BACK) < 0 ? "RUNNING" : "ENDED")
          + " 9", "").put("code", event.name());
    }
    List<JsonNode> decided = selected();
    say("Events", GARBAGE);
    assertThat(selected()).isEqualTo(decided);
  }

  /** What reads a row, or makes one like it, names its columns as the wire does. */
  @Test
  void columnsAreNamedOnTheWireAlone() throws Exception {
    Pattern literal = Pattern.compile("\\b(text|number|is|put|path|with|has)\\(\"("
        + Stream.concat(Stream.of(Column.values()), Stream.of(Attribute.values()))
            .map(Object::toString).collect(Collectors.joining("|")) + ")\"");
    try (Stream<Path> files = Files.walk(Path.of("src", "tools", "src", "main", "java"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(literal);
      }
    }
  }

  /** A later version may have more of them. */
  @Test
  void sentenceOfAnUnknownCodeIsShownAndDecidesNothing() throws Exception {
    rm.busy();
    rm.bean.path("Line").forEach(row -> ((ObjectNode) row).put("code", "OF_A_LATER_VERSION"));
    say("Line", GARBAGE);
    rm.event(30, 50, "eve", "STARTING RUNNING 9", GARBAGE).put("code", "OF_A_LATER_VERSION");
    assertThat(oneLine("explain " + FakeResourceManager.id(13))).contains("why " + GARBAGE)
        .doesNotContain("lets go");
    assertThat(oneLine("status")).contains(GARBAGE);
    assertThat(run("events", "--user", "eve").out()).contains("STARTING -> RUNNING", GARBAGE);
    for (EventsCommand.Reason reason : EventsCommand.Reason.values()) {
      assertThat(run("events", "--user", "eve", "--reason", reason.name()).out())
          .isEqualTo("No such event.\n");
    }
  }
}
