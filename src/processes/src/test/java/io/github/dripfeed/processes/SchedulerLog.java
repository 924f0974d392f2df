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
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;

/**
 * What the scheduler did, to the millisecond, by the log of its ResourceManager: heartbeats, and containers
 * that begin and end. One thread of the scheduler writes all of these lines, so their order is that in
 * which it happened.
 */
final class SchedulerLog {

  /** The class whose debug messages have the heartbeats. */
  static final Class<?> HEARTBEATS = AbstractYarnScheduler.class;

  /** What happens. */
  enum Kind {
    /** A node reports, and the scheduler looks for something to place there. */
    HEARTBEAT,
    /** A container is allocated. */
    ALLOCATED,
    /** A container is over. */
    ENDED
  }

  /**
   * One line.
   *
   * @param subject the node of a heartbeat, else the container
   * @param memory what is free on the node of a heartbeat, or the size of an allocated container, in MB
   */
  record Event(long millis, Kind kind, String subject, int memory) {

    private String part(int fromTheEnd) {
      String[] parts = subject.split("_");
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
  private static final Pattern HEARTBEAT = Pattern.compile(
      "Node being looked for scheduling (\\S+) availableResource: <memory:(\\d+)");
  private static final Pattern ALLOCATED = Pattern.compile(
      "Assigned container (container_\\w+) of capacity <memory:(\\d+)");
  private static final Pattern ENDED = Pattern.compile(
      "(container_\\w+) Container Transitioned from \\w+ to (?:COMPLETED|KILLED|RELEASED|EXPIRED)$");

  private SchedulerLog() {
  }

  /** All events of the log. */
  static List<Event> read(Path log) throws IOException {
    List<Event> events = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        add(line, Kind.HEARTBEAT, HEARTBEAT, events);
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
      int memory = found.groupCount() > 1 ? Integer.parseInt(found.group(2)) : 0;
      events.add(new Event(millis, kind, found.group(1), memory));
    }
  }
}
