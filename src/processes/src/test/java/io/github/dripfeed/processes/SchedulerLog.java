// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the scheduler did, to the millisecond, by the log of its ResourceManager: containers that begin and
 * end. One thread of the scheduler writes all of these lines, so their order is that in
 * which it happened.
 */
final class SchedulerLog {

  /** What happens. */
  enum Kind {
    /** A container is allocated. */
    ALLOCATED,
    /** A container is over. */
    ENDED
  }

  /**
   * One line.
   *
   * @param container its id
   */
  record Event(long millis, Kind kind, String container) {

    private String part(int fromTheEnd) {
      String[] parts = container.split("_");
      return parts[parts.length - fromTheEnd];
    }

    /** The application of a container. */
    String application() {
      return "application_" + part(4) + "_" + part(3);
    }

    /** Whether a container is its attempt's first one. */
    boolean isDriver() {
      return Integer.parseInt(part(1)) == 1;
    }
  }

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int TIME_LENGTH = 23;
  private static final Pattern ALLOCATED = Pattern.compile(
      "Assigned container (container_\\w+) of capacity");
  private static final Pattern ENDED = Pattern.compile(
      "(container_\\w+) Container Transitioned from \\w+ to (?:COMPLETED|KILLED|RELEASED|EXPIRED)$");

  private SchedulerLog() {
  }

  /** All events of the log. */
  static List<Event> read(Path log) throws IOException {
    List<Event> events = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        add(line, Kind.ALLOCATED, ALLOCATED, events);
        add(line, Kind.ENDED, ENDED, events);
      }
    }
    return events;
  }

  private static void add(String line, Kind kind, Pattern pattern, List<Event> events) {
    Matcher found = pattern.matcher(line);
    if (found.find()) {
      long millis = LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME)
          .toInstant(ZoneOffset.UTC).toEpochMilli();
      events.add(new Event(millis, kind, found.group(1)));
    }
  }
}
