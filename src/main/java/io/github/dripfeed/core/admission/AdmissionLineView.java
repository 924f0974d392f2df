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

import java.util.List;
import java.util.function.Predicate;

/**
 * Who competes for the starting slots of one partition, for people to be told. Lists are of the moment;
 * those waiting are read while they are walked.
 *
 * @param <T> what stands for an application attempt
 */
public final class AdmissionLineView<T> {

  /** One that is starting. */
  public static final class Starting<T> {
    public final T item;
    /** For how long, in milliseconds. */
    public final long millis;
    /** For how long at most. */
    public final long atMost;

    Starting(T item, long millis, long atMost) {
      this.item = item;
      this.millis = millis;
      this.atMost = atMost;
    }
  }

  private final String partition;
  private final List<Starting<T>> starting;
  private final Iterable<AttemptView<T>> waiting;
  private final Iterable<AttemptView<T>> stalled;
  private final WaitReason waitsFor;
  private final Predicate<T> passedOver;

  AdmissionLineView(String partition, List<Starting<T>> starting, Iterable<AttemptView<T>> waiting,
      Iterable<AttemptView<T>> stalled,
      WaitReason waitsFor, Predicate<T> passedOver) {
    this.partition = partition;
    this.starting = starting;
    this.waiting = waiting;
    this.stalled = stalled;
    this.waitsFor = waitsFor;
    this.passedOver = passedOver;
  }

  /** Whether the scheduler passes over one that waits, for its user's limit: then it holds back nobody. */
  public boolean isPassedOver(AttemptView<T> attempt) {
    return passedOver.test(attempt.item());
  }

  /** Its name; empty is the default one. */
  public String partition() {
    return partition;
  }

  public List<Starting<T>> starting() {
    return starting;
  }

  /** Those that wait for their turn, in order. */
  public Iterable<AttemptView<T>> waiting() {
    return waiting;
  }

  /** Those that were offered in vain for too long, and come last. */
  public Iterable<AttemptView<T>> stalled() {
    return stalled;
  }

  /** What the next one waits for, and with it all behind. */
  public WaitReason waitsFor() {
    return waitsFor;
  }
}
