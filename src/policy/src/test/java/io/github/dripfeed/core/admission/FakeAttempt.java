// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.admission;

/** An attempt whose facts the test sets. It counts how often the policy reads them. */
class FakeAttempt implements Attempt {

  final String name;
  String partition = "";
  boolean exempt;
  volatile boolean hasRequest = true;
  volatile boolean reserved;
  volatile boolean driver;
  boolean ordered = true;
  boolean driverLive = true;
  volatile int executors;
  long age;
  boolean skipped;
  boolean proposed;
  boolean onlyUpdates;
  String user = "user";
  String path = "";
  String fullQueue = "";
  RuntimeException failure;
  int questions;
  /** How often the policy read whether the user is at its limit, for which YARN takes a lock. */
  int limitQuestions;
  /** Runs whenever a fact is read. */
  Runnable whenAsked = () -> { };
  /** Checks how it is read. */
  Runnable whenRead = () -> { };

  FakeAttempt(String name) {
    this.name = name;
  }

  private <V> V answer(V fact) {
    questions++;
    whenRead.run();
    whenAsked.run();
    if (failure != null) {
      throw failure;
    }
    return fact;
  }

  @Override
  public String partition() {
    whenRead.run();
    return partition;
  }

  @Override
  public boolean isExempt() {
    return answer(exempt);
  }

  @Override
  public boolean hasOutstandingRequest() {
    return answer(hasRequest);
  }

  @Override
  public boolean hasReservation() {
    return answer(reserved);
  }

  @Override
  public boolean isProposed() {
    return answer(proposed);
  }

  @Override
  public boolean isOrdered() {
    return ordered;
  }

  @Override
  public boolean isDriverAllocated() {
    return answer(driver);
  }

  @Override
  public boolean isDriverLive() {
    return answer(driver && driverLive);
  }

  @Override
  public int liveExecutors() {
    return answer(executors);
  }

  @Override
  public int containers() {
    return answer((driver ? 1 : 0) + executors + (reserved ? 1 : 0));
  }

  @Override
  public boolean requestsOnlyUpdates() {
    return answer(onlyUpdates);
  }

  @Override
  public long millisSinceDriverAllocated() {
    return answer(age);
  }

  @Override
  public boolean isSkipped() {
    limitQuestions++;
    return answer(skipped);
  }

  @Override
  public String queue() {
    return path;
  }

  @Override
  public String fullQueue() {
    return answer(fullQueue);
  }

  @Override
  public String user() {
    return answer(user);
  }

  @Override
  public String toString() {
    return name;
  }
}
