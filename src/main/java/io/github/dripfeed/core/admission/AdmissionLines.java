/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.core.admission;

import io.github.dripfeed.core.headroom.HeadroomLedger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The {@link AdmissionLine} of each node partition that drivers of one queue are requested in. There are as
 * many as such partitions: one, unless node labels are used.
 *
 * <p>Safe for use by any thread.
 *
 * @param <T> what stands for an application attempt
 */
final class AdmissionLines<T> {

  private final Lifecycle<T> lifecycle;
  private final HeadroomLedger ledger;
  private final ConcurrentMap<String, AdmissionLine<T>> byPartition = new ConcurrentSkipListMap<>();
  /** The same lines by the names of their partitions, for a walk that allocates nothing. */
  private volatile List<AdmissionLine<T>> all = Collections.emptyList();

  AdmissionLines(Lifecycle<T> lifecycle, HeadroomLedger ledger) {
    this.lifecycle = lifecycle;
    this.ledger = ledger;
  }

  /** The line that the attempt belongs to. */
  AdmissionLine<T> of(Attempt attempt) {
    return of(partitionOf(attempt, ""));
  }

  /** All lines. */
  List<AdmissionLine<T>> all() {
    return all;
  }

  /** All lines, with those that are starting as they are now. */
  List<AdmissionLine<T>> upToDate(long now) {
    List<AdmissionLine<T>> lines = all;
    for (int i = 0; i < lines.size(); i++) {
      lines.get(i).lookAtStarting(now);
    }
    // A look may have found a partition that had no line yet.
    return all;
  }

  /** Whether nobody waits, stalled or not, and nobody is starting. */
  boolean isEverybodyRunning() {
    List<AdmissionLine<T>> lines = all;
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).lanes().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** The partition that the attempt's driver is in, or requested in; if it cannot be told, the other. */
  String partitionOf(Attempt attempt, String otherwise) {
    try {
      String partition = attempt.partition();
      return partition == null ? "" : partition;
    } catch (RuntimeException | LinkageError e) {
      lifecycle.failed(e);
      return otherwise;
    }
  }

  AdmissionLine<T> of(String partition) {
    AdmissionLine<T> line = byPartition.get(partition);
    return line == null ? add(partition) : line;
  }

  private synchronized AdmissionLine<T> add(String partition) {
    AdmissionLine<T> line =
        byPartition.computeIfAbsent(partition, p -> new AdmissionLine<>(p, this, lifecycle, ledger));
    all = Collections.unmodifiableList(new ArrayList<>(byPartition.values()));
    return line;
  }
}
