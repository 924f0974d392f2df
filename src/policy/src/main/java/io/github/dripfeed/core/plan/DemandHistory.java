// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.plan;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the last 50 applications of a queue requested, by the partition of their drivers: the executors of
 * the first request, the number that each wanted on average, and how long each took to request the first
 * one. An application that ended without a request counts as well.
 *
 * <p>What is usual is the median: errors in both directions cancel out over several applications. A size is
 * one that was requested as a whole.
 *
 * <p>Where ten applications of one type are known, they are the sample for that type. Used by one thread.
 */
public final class DemandHistory {

  static final int REMEMBERED = 50;
  /** The number of applications from which quantiles mean something. */
  static final int ENOUGH = 10;
  /** How long after it last wanted more an application is still expected to want more, in milliseconds. */
  static final long GROWTH = 10_000;
  /** How long an application may request nothing before it is silent while few are known. */
  static final long SILENT = 30_000;

  /** More than start up at a time, in any but the largest queues. */
  private static final int STARTING = 1000;
  /** Memory and cores, which every container has. */
  private static final int ALWAYS_REQUESTED = 2;

  private static final double MEDIAN = 0.5;
  private static final double START_UP_QUANTILE = 0.9;
  private static final Comparator<ResourceVector> BY_AMOUNTS = (one, other) -> {
    int order = 0;
    for (int type = 0; type < one.types() && order == 0; type++) {
      order = Long.compare(one.get(type), other.get(type));
    }
    return order;
  };

  /** What one application has come to want. */
  private static final class Wanted {
    final String type;
    /** From the allocation of its driver to its first request; negative if that is not known. */
    final long startUp;
    /** The largest container of the first request in each partition. */
    final Map<String, ResourceVector> first = new HashMap<>();
    final Set<ResourceVector> sizes = new HashSet<>();
    final Map<String, Long> mosts = new HashMap<>();
    /** The sum of the numbers of executors that it was seen to want, and its terms. */
    long sumOfTotals;
    long totals;
    long grewAt;

    Wanted(String type, long startUp) {
      this.type = type;
      this.startUp = startUp;
    }

    long most(String partition) {
      return mosts.getOrDefault(partition, 0L);
    }

    long most() {
      return mosts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What it has wanted on average, rounded up. */
    long average(String partition) {
      return (long) Math.ceil(
          (double) most(partition) * sumOfTotals / (Math.max(1, totals) * Math.max(1, most())));
    }

    ResourceVector first(String partition, int types) {
      ResourceVector size = first.get(partition);
      return size == null || size.types() != types ? null : size;
    }
  }

  private final Map<String, Map<Object, Wanted>> byDriverPartition = new HashMap<>();
  /** The partition and the type of applications that have a driver and have requested nothing. */
  private final Map<Object, String[]> startingUp = new LinkedHashMap<>();
  /** The applications that have not ended and are no longer among the last: they are not learned anew. */
  private final Set<Object> forgotten = new HashSet<>();

  /**
   * The application has a driver, and neither requests nor holds an executor.
   *
   * @param application the identity of the application; must not reference anything else
   */
  public void startsUp(Object application, String driverPartition, String type) {
    if (startingUp.size() < STARTING && !isForgotten(application)
        && known(application, driverPartition) == null) {
      startingUp.putIfAbsent(application, new String[] {driverPartition, type});
    }
  }

  /**
   * Applications that requested nothing and have ended wanted nothing; those that were moved are forgotten.
   */
  public void retain(Predicate<Object> isHere, Predicate<Object> isAnywhere) {
    startingUp.entrySet().removeIf(each -> {
      boolean left = !isHere.test(each.getKey());
      if (left && !isAnywhere.test(each.getKey())) {
        remember(each.getKey(), each.getValue()[0], new Wanted(each.getValue()[1], -1));
      }
      return left;
    });
    forgotten.removeIf(isAnywhere.negate());
  }

  private Wanted remember(Object application, String driverPartition, Wanted wanted) {
    Map<Object, Wanted> last = applications(driverPartition);
    last.put(application, wanted);
    if (last.size() > REMEMBERED) {
      Object eldest = last.keySet().iterator().next();
      last.remove(eldest);
      forgotten.add(eldest);
    }
    return wanted;
  }

  /** Whether the application has not ended and is no longer among the last: nothing is learned of it. */
  public boolean isForgotten(Object application) {
    return forgotten.contains(application);
  }

  /**
   * Records what an application wants.
   *
   * @param startUp how long it took to request its first executor if this is the first one, in
   *     milliseconds; negative if that is not known
   * @param wanted the executors that it requests and holds now; may be incomplete if it wants no more than
   *     before
   * @param total the number of executors that it requests and holds now
   */
  public void wants(Object application, String driverPartition, String type, long startUp,
      Collection<Demand> wanted, long total, long now) {
    if (isForgotten(application)) {
      return;
    }
    startingUp.remove(application);
    Wanted seen = known(application, driverPartition);
    Wanted known = seen != null ? seen
        : remember(application, driverPartition, new Wanted(type, startUp));
    boolean isFirst = known.totals == 0;
    Map<String, Long> numbers = new HashMap<>();
    for (Demand demand : wanted) {
      if (isFirst || !known.first.containsKey(demand.partition())) {
        known.first.merge(demand.partition(), demand.size(), DemandHistory::larger);
      }
      known.sizes.add(demand.size());
      numbers.merge(demand.partition(), demand.count(), Long::sum);
    }
    known.sumOfTotals += total;
    known.totals++;
    numbers.forEach((partition, number) -> {
      if (number > known.most(partition)) {
        known.mosts.put(partition, number);
        known.grewAt = now;
      }
    });
  }

  /** The most executors that the application has wanted at once, in all partitions; 0 if unknown. */
  public long most(Object application, String driverPartition) {
    Wanted known = known(application, driverPartition);
    return known == null ? 0 : known.most();
  }

  /**
   * The executors that an application with a driver is expected to want beyond those wanted so far. None
   * if it has wanted no more for ten seconds, because it has shown what it wants, or if it is no longer
   * among the last applications.
   *
   * @param expected returns what it was expected to come to want in total
   */
  public List<Demand> remaining(
      Object application, String driverPartition, Supplier<List<Demand>> expected, long now) {
    Wanted known = known(application, driverPartition);
    if (known == null) {
      return startingUp.containsKey(application) ? expected.get() : Collections.emptyList();
    }
    if (now - known.grewAt >= GROWTH) {
      return Collections.emptyList();
    }
    List<Demand> remaining = new ArrayList<>();
    for (Demand demand : expected.get()) {
      long count = demand.count() - known.most(demand.partition());
      if (count > 0) {
        remaining.add(demand.withCount(count));
      }
    }
    return remaining;
  }

  /** The largest executors that the application requested first, in this attempt or an earlier one. */
  public ResourceVector ownSize(Object application, String driverPartition, String partition, int types) {
    Wanted known = known(application, driverPartition);
    return known == null ? null : known.first(partition, types);
  }

  /** Whether anything is known of applications whose drivers are in the partition. */
  public boolean isAnyKnown(String driverPartition) {
    return !applications(driverPartition).isEmpty();
  }

  /**
   * The executors that an application is expected to come to want, one demand for each partition that at
   * least half of the applications asked for.
   *
   * @param type the type of the application
   * @param types the number of resource types that count now; sizes recorded with another number are
   *     ignored
   */
  public List<Demand> expected(String driverPartition, String type, int types) {
    Collection<Wanted> sample = sample(applications(driverPartition).values(), type);
    Map<String, List<ResourceVector>> sizes = new HashMap<>();
    for (Wanted application : sample) {
      application.first.forEach((partition, size) -> {
        if (size.types() == types) {
          sizes.computeIfAbsent(partition, p -> new ArrayList<>()).add(size);
        }
      });
    }
    List<Demand> expected = new ArrayList<>();
    int number = sample.size();
    for (Map.Entry<String, List<ResourceVector>> each : sizes.entrySet()) {
      if (each.getValue().size() * 2 >= number) {
        long[] counts = sample.stream().mapToLong(one -> one.average(each.getKey())).toArray();
        expected.add(new Demand(each.getKey(), usualSize(each.getValue()), quantile(counts, MEDIAN)));
      }
    }
    return expected;
  }

  /** Those of the type where they are enough; else all. */
  private static Collection<Wanted> sample(Collection<Wanted> all, String type) {
    List<Wanted> ofType = new ArrayList<>(all);
    ofType.removeIf(application -> !application.type.equals(type));
    return ofType.size() < ENOUGH ? all : ofType;
  }

  /** The median of those with the usual resource types. */
  private static ResourceVector usualSize(List<ResourceVector> all) {
    List<ResourceVector> sizes = new ArrayList<>(all);
    for (int type = ALWAYS_REQUESTED; type < all.get(0).types(); type++) {
      int rare = type;
      long with = sizes.stream().filter(size -> size.get(rare) > 0).count();
      boolean usual = with * 2 >= sizes.size();
      sizes.removeIf(size -> size.get(rare) > 0 != usual);
    }
    sizes.sort(BY_AMOUNTS);
    return sizes.get((int) Math.ceil(MEDIAN * sizes.size()) - 1);
  }

  /** The sizes that the last applications have requested. */
  public Set<ResourceVector> requested(String driverPartition, int types) {
    Set<ResourceVector> requested = new HashSet<>();
    applications(driverPartition).values().forEach(application -> requested.addAll(application.sizes));
    requested.removeIf(size -> size.types() != types);
    return requested;
  }

  /** The median of the time from a driver's allocation to its first request; 0 if none is known. */
  public long startUp() {
    long[] known = startUps(ofKnownStartUp());
    return known.length == 0 ? 0 : quantile(known, MEDIAN);
  }

  /** After how long without a request a starting application is silent: nine in ten took less. */
  public long silentAfter(String type) {
    long[] known = startUps(sample(ofKnownStartUp(), type));
    return known.length < ENOUGH ? SILENT : Math.max(GROWTH, quantile(known, START_UP_QUANTILE));
  }

  private List<Wanted> ofKnownStartUp() {
    return byDriverPartition.values().stream().flatMap(all -> all.values().stream())
        .filter(application -> application.startUp >= 0).collect(Collectors.toList());
  }

  private static long[] startUps(Collection<Wanted> sample) {
    return sample.stream().mapToLong(application -> application.startUp).toArray();
  }

  private Map<Object, Wanted> applications(String driverPartition) {
    return byDriverPartition.computeIfAbsent(driverPartition, p -> new LinkedHashMap<>());
  }

  private Wanted known(Object application, String driverPartition) {
    return byDriverPartition.getOrDefault(driverPartition, Collections.emptyMap()).get(application);
  }

  /** The smallest amount that is not exceeded by this fraction. */
  private static long quantile(long[] amounts, double fraction) {
    Arrays.sort(amounts);
    return amounts[(int) Math.ceil(fraction * amounts.length) - 1];
  }

  private static ResourceVector larger(ResourceVector one, ResourceVector other) {
    return one.types() == other.types() && BY_AMOUNTS.compare(one, other) >= 0 ? one : other;
  }
}
