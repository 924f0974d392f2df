// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import io.github.dripfeed.StateAwareFairOrderingPolicy;
import io.github.dripfeed.StateAwareOrderingPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The variants that the simulator compares. */
final class SchedulerVariants {

  static final String AM_PERCENT = "maximum-am-resource-percent";
  static final String MAX_PARALLEL = "max-parallel-apps";

  private static final String ORDERING = "ordering-policy";
  /** Kueue's default in its configuration v1beta1; in v1beta2 it is half an hour. */
  private static final long READY_MILLIS = 300_000;
  private static final String STATE_AWARE = "ordering-policy.state-aware.";
  /** On drivers, where a queue is much larger than its share. */
  private static final String UNLIMITED = "100";
  private static final int[] OF_PARENT = {1, 2, 3, 4, 6, 8, 10, 12, 16, 24, 32};

  private SchedulerVariants() {
  }

  static SchedulerVariant fifo() {
    return new SchedulerVariant("fifo", SchedulerVariant.Kind.STOCK, 0, Map.of(ORDERING, "fifo"));
  }

  static SchedulerVariant fair() {
    return new SchedulerVariant("fair", SchedulerVariant.Kind.STOCK, 0, Map.of(ORDERING, "fair"));
  }

  /** @param percent the fraction of the queue that drivers may hold, from 5 to 100 */
  static SchedulerVariant amPercent(int percent) {
    String limit = String.format(Locale.ROOT, "%.2f", percent / 100.0);
    return new SchedulerVariant("fifo, AM limit " + limit, SchedulerVariant.Kind.AM_PERCENT,
        percent / 100.0,
        Map.of(ORDERING, "fifo", AM_PERCENT, limit));
  }

  /** The same in fair order. */
  static SchedulerVariant fairAmPercent(int percent) {
    String limit = String.format(Locale.ROOT, "%.2f", percent / 100.0);
    return new SchedulerVariant("fair, AM limit " + limit, SchedulerVariant.Kind.FAIR_AM_PERCENT,
        percent / 100.0, Map.of(ORDERING, "fair", AM_PERCENT, limit));
  }

  static SchedulerVariant maxParallel(int applications) {
    return new SchedulerVariant("fifo, " + applications + " at once", SchedulerVariant.Kind.MAX_PARALLEL,
        applications,
        Map.of(ORDERING, "fifo", AM_PERCENT, "1.0", MAX_PARALLEL, String.valueOf(applications)));
  }

  static SchedulerVariant dripfeed() {
    return new SchedulerVariant("Dripfeed", SchedulerVariant.Kind.DRIPFEED, 0,
        dripfeed(StateAwareOrderingPolicy.class));
  }

  /** Whether it is Dripfeed with nothing set, in one queue or in several. */
  static boolean isDefault(SchedulerVariant setting) {
    return setting.kind().isDripfeed() && setting.queue().equals(dripfeed().queue());
  }

  static SchedulerVariant dripfeedFair() {
    return new SchedulerVariant("Dripfeed, fair", SchedulerVariant.Kind.DRIPFEED_FAIR, 0,
        dripfeed(StateAwareFairOrderingPolicy.class));
  }

  /** The policy and nothing else: one line, so YARN's default limit on drivers stays. */
  static SchedulerVariant oneLine() {
    Map<String, String> properties = dripfeed(StateAwareOrderingPolicy.class);
    properties.put(AM_PERCENT, "0.1");
    return new SchedulerVariant(
        "Dripfeed, AM limit 0.1", SchedulerVariant.Kind.DRIPFEED_TUNED, 0, properties);
  }

  /** Dripfeed that starts as many at once as the queue can use. */
  static SchedulerVariant auto() {
    return tuned("max-starting", "auto");
  }

  /** The same below another limit on drivers than the recommended one: YARN's default, or none. */
  static SchedulerVariant auto(String limit) {
    Map<String, String> properties = dripfeed(StateAwareOrderingPolicy.class);
    properties.put(STATE_AWARE + "max-starting", "auto");
    properties.put(AM_PERCENT, limit);
    return new SchedulerVariant("auto, AM limit " + limit, SchedulerVariant.Kind.DRIPFEED_TUNED, 0,
        properties);
  }

  /** The same in fair order. */
  static SchedulerVariant autoFair() {
    Map<String, String> properties = dripfeed(StateAwareFairOrderingPolicy.class);
    properties.put(STATE_AWARE + "max-starting", "auto");
    return new SchedulerVariant("auto, fair", SchedulerVariant.Kind.DRIPFEED_TUNED, 0, properties);
  }

  /** The same with few executors before many. */
  static SchedulerVariant autoNarrow() {
    Map<String, String> properties = dripfeed(StateAwareOrderingPolicy.class);
    properties.put(STATE_AWARE + "max-starting", "auto");
    properties.put(STATE_AWARE + "order", "narrow");
    return new SchedulerVariant("auto, narrow", SchedulerVariant.Kind.DRIPFEED_TUNED, 0, properties);
  }

  /** @param name of a property below {@code state-aware.} */
  static SchedulerVariant tuned(String name, String value) {
    Map<String, String> properties = dripfeed(StateAwareOrderingPolicy.class);
    properties.put(STATE_AWARE + name, value);
    return new SchedulerVariant(name + " = " + value, SchedulerVariant.Kind.DRIPFEED_TUNED, 0, properties);
  }

  private static Map<String, String> dripfeed(Class<?> policy) {
    return new HashMap<>(Map.of(ORDERING, policy.getName(), AM_PERCENT, "1.0"));
  }

  /**
   * YuniKorn's policy StateAware: one application at a time is accepted or starting, in the order of
   * submission, and starting ends after five minutes.
   */
  static SchedulerVariant yunikorn() {
    Map<String, String> properties = dripfeed(StateAwareOrderingPolicy.class);
    properties.put(STATE_AWARE + "order", "fifo");
    properties.put(STATE_AWARE + "accepted-timeout", "0");
    return new SchedulerVariant("YuniKorn StateAware", SchedulerVariant.Kind.OTHER_SYSTEM, 0, properties);
  }

  /** Kueue's waitForPodsReady with blockAdmission: one after the other, five minutes until all is there. */
  static SchedulerVariant kueueBlocking() {
    return controlled("Kueue, blockAdmission", new AdmissionRule(
        AdmissionRule.Knowledge.DECLARED, false, true, READY_MILLIS));
  }

  /** The same without blockAdmission: who is not ready after five minutes is evicted. */
  static SchedulerVariant kueueEvicting() {
    return controlled("Kueue, eviction", new AdmissionRule(
        AdmissionRule.Knowledge.DECLARED, false, false, READY_MILLIS));
  }

  /** Driver and first executor are admitted together, by their true sizes. */
  static SchedulerVariant gangOfFirst() {
    return controlled("gang, first executor", new AdmissionRule(
        AdmissionRule.Knowledge.FIRST_EXECUTOR, true, false, 0));
  }

  /** Driver and all executors that it will request at once are admitted together, by their true sizes. */
  static SchedulerVariant gangOfAll() {
    return controlled("gang, all executors", new AdmissionRule(
        AdmissionRule.Knowledge.EXECUTORS, true, false, 0));
  }

  private static SchedulerVariant controlled(String name, AdmissionRule rule) {
    return new SchedulerVariant(name, SchedulerVariant.Kind.OTHER_SYSTEM, 0,
        Map.of(ORDERING, "fifo", AM_PERCENT, "1.0"), Map.of(), rule);
  }

  /** A selection, for long simulations. */
  static List<SchedulerVariant> few() {
    return List.of(fifo(), amPercent(20), amPercent(50), amPercent(100), maxParallel(16),
        maxParallel(64), dripfeed(), auto(), tuned("max-starting", "2"),
        tuned("max-starting", "4"));
  }

  /** Those whose forecasts are compared with what came. */
  static List<SchedulerVariant> forecast() {
    return List.of(dripfeed(), tuned("max-starting", "4"), auto());
  }

  /**
   * A limit on the applications of all queues together; only the parent has one.
   *
   * @param limit on the drivers of each queue
   */
  private static SchedulerVariant maxParallelOfParent(int applications, String limit) {
    return new SchedulerVariant("fifo, " + applications + " at once in all",
        SchedulerVariant.Kind.MAX_PARALLEL, applications, Map.of(ORDERING, "fifo", AM_PERCENT, limit),
        Map.of(MAX_PARALLEL, String.valueOf(applications)), null);
  }

  /**
   * For steady arrivals over several queues. The limit on drivers does not count, since with it a launcher
   * keeps what it has submitted from starting.
   */
  static List<SchedulerVariant> ofSteadyTenants() {
    List<SchedulerVariant> all = new ArrayList<>(List.of(fifo()));
    for (int applications : OF_PARENT) {
      all.add(maxParallelOfParent(applications, UNLIMITED));
    }
    all.addAll(List.of(group(), autoOfTenants()));
    return all;
  }

  /** Dripfeed in several queues, each with slots of its own. */
  static SchedulerVariant perQueue() {
    return new SchedulerVariant("Dripfeed, each queue alone", SchedulerVariant.Kind.DRIPFEED_ALONE, 0,
        ofTenant());
  }

  /** Dripfeed in several queues of one group. */
  static SchedulerVariant group() {
    return new SchedulerVariant("Dripfeed, a group", SchedulerVariant.Kind.DRIPFEED, 0, grouped());
  }

  /** The same with several slots. */
  static SchedulerVariant group(int starting) {
    Map<String, String> properties = grouped();
    properties.put(STATE_AWARE + "max-starting", String.valueOf(starting));
    return new SchedulerVariant("a group, max-starting = " + starting,
        SchedulerVariant.Kind.DRIPFEED_TUNED, 0, properties);
  }

  /** Dripfeed in several queues, all of which are one group. */
  static SchedulerVariant autoOfTenants() {
    Map<String, String> properties = ofTenant();
    properties.put(STATE_AWARE + "max-starting", "auto");
    return new SchedulerVariant("auto, all queues", SchedulerVariant.Kind.DRIPFEED_TUNED, 0, properties);
  }

  /** YARN's limit on drivers counts against the guarantee, which is small where queues are many. */
  private static Map<String, String> ofTenant() {
    Map<String, String> properties = dripfeed(StateAwareOrderingPolicy.class);
    properties.put(AM_PERCENT, UNLIMITED);
    return properties;
  }

  private static Map<String, String> grouped() {
    Map<String, String> properties = ofTenant();
    properties.put(STATE_AWARE + "starting-group", "tenants");
    return properties;
  }

  /** For several queues: the stock policies, static limits of each queue and of all, and Dripfeed. */
  static List<SchedulerVariant> ofTenants() {
    List<SchedulerVariant> all = new ArrayList<>(List.of(fifo(), fair()));
    for (int percent : new int[] {5, 20, 50, 100}) {
      all.add(amPercent(percent));
    }
    for (int applications : new int[] {1, 2, 4}) {
      all.add(maxParallel(applications));
    }
    for (int applications : OF_PARENT) {
      all.add(maxParallelOfParent(applications, "1.0"));
    }
    all.addAll(List.of(perQueue(), group(), group(2), group(4), autoOfTenants()));
    return all;
  }

  /** The queue as its file configures it. */
  static SchedulerVariant asConfigured() {
    return new SchedulerVariant("as configured", SchedulerVariant.Kind.STOCK, 0, Map.of());
  }

  /**
   * The stock policies, all static limits, Dripfeed, with its defaults and with one property set, the rules
   * of other systems, and limits in fair order.
   */
  static List<SchedulerVariant> all() {
    List<SchedulerVariant> all = new ArrayList<>(List.of(fifo(), fair()));
    for (int percent = 5; percent <= 100; percent += 5) {
      all.add(amPercent(percent));
    }
    for (int applications : new int[] {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}) {
      all.add(maxParallel(applications));
    }
    all.add(dripfeed());
    all.add(oneLine());
    all.add(auto());
    all.add(auto("0.1"));
    all.add(auto("100"));
    all.add(autoFair());
    all.add(autoNarrow());
    all.add(dripfeedFair());
    all.add(tuned("max-starting", "2"));
    all.add(tuned("max-starting", "4"));
    all.add(tuned("idle-timeout", "30s"));
    all.add(tuned("starting-timeout", "1m"));
    all.add(tuned("exempt-application-types", "LAUNCHER"));
    all.addAll(List.of(yunikorn(), kueueBlocking(), kueueEvicting(), gangOfFirst(), gangOfAll()));
    for (int percent = 5; percent <= 100; percent += 5) {
      all.add(fairAmPercent(percent));
    }
    return all;
  }
}
