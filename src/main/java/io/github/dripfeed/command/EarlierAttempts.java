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

import io.github.dripfeed.command.remote.Row;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the earlier attempts of a starting application have used of the time that it may be starting. */
final class EarlierAttempts {

  private EarlierAttempts() {
  }

  /**
   * How long they were starting together, but for those that were taken back.
   *
   * @param starting the row of the attempt that is starting
   * @param events at least those of its application in which an attempt was no longer starting
   */
  static long startingSeconds(Row starting, List<Row> events) {
    String application = starting.text("application");
    String attempt = starting.text("attempt");
    return TimeUnit.MILLISECONDS.toSeconds(events.stream()
        .filter(event -> event.is("from", "STARTING") && event.is("application", application)
            && !event.is("attempt", attempt) && !EventReason.TAKEN_BACK.matches(event))
        .mapToLong(event -> Math.max(0, event.number("milliseconds"))).sum());
  }

  /** Whether they have used up that time: then the attempt takes no starting slot from others. */
  static boolean haveUsedUp(Row starting, List<Row> events) {
    long atMost = starting.number("atMostSeconds");
    return atMost >= 0 && startingSeconds(starting, events) >= atMost;
  }
}
