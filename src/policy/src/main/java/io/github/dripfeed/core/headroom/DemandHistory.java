// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.core.headroom;

import io.github.dripfeed.core.resource.ResourceVector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What the last 50 applications of a queue came to want, separately for each partition of the driver: the
 * largest executor that each requested, the number of executors that it wanted (requested or held) on
 * average while it wanted any, and how long it took to want the first one. It estimates what an application
 * without requests is going to want. Used by one thread.
 *
 * <p>The statistics differ because errors cost different things. An executor that is larger than estimated
 * leaves a driver waiting, and one that is smaller delays a start, so the size is a high one: the 0.9
 * quantile of each resource type, which leaves out the largest tenth. The number of executors decides how
 * many applications share the queue. Errors in both directions cost the same and cancel out over several
 * applications, so the number is the median. Both ignore a few outliers of any size. The average over time
 * counts, not the maximum, because most applications want their maximum only for a part of their time.
 *
 * <p>Fewer than ten applications say little. Their largest executor is expected, and no more of them than
 * make an application running. The same holds for the applications of one type: if they are fewer, those
 * of all types are the sample.
 */
public final class DemandHistory {

  static final int REMEMBERED = 50;
  /** The number of applications from which quantiles mean something. */
  static final int ENOUGH = 10;
  /** How long after it last wanted more an application is still expected to want more, in milliseconds. */
  static final long GROWTH = 10_000;

  /** More than start up at a time, in any but the largest queues. */
  private static final int STARTING = 1000;

  private static final double SIZE_QUANTILE = 0.9;
  private static final double NUMBER_QUANTILE = 0.5;
  private static final double START_UP_QUANTILE = 0.9;

  /** What one application has come to want. */
  private static final class Wanted {
    final String type;
    final Map<String, ResourceVector> sizes = new HashMap<>();
    final Map<String, Long> mosts = new HashMap<>();
    /** The sum of the numbers of executors in all partitions that it was seen to want, and its terms. */
    long sumOfTotals;
    long totals;
    long grewAt;
    /** From when it was first seen with a driver until it first wanted an executor. */
    final long startUp;

    Wanted(String type, long startUp) {
      this.type = type;
      this.startUp = startUp;
    }

    /** @return whether it has wanted at least one executor of as many resource types as count now */
    boolean isComparable(int types) {
      return sizes.values().stream().anyMatch(size -> size.types() == types);
    }

    long most(String partition) {
      return mosts.getOrDefault(partition, 0L);
    }

    long most() {
      return mosts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What it has wanted on average, rounded up. */
    long average(String partition) {
      return (long) Math.ceil((double) most(partition) * sumOfTotals / (totals * Math.max(1, most())));
    }
  }

  private final Map<String, Map<Object, Wanted>> byDriverPartition = new HashMap<>();
  /** When applications that have wanted no executor yet were first seen with a driver. */
  private final Map<Object, Long> startingUp = last(STARTING);

  /** Notes that the application has a driver, and neither requests nor holds an executor. */
  public void startsUp(Object application, long now) {
    startingUp.putIfAbsent(application, now);
  }

  /**
   * Adds an application when it first wants executors.
   *
   * @param application the identity of the application; must not reference anything else
   * @param type the type of the application
   */
  public void add(Object application, String driverPartition, String type, long now) {
    Long since = startingUp.remove(application);
    byDriverPartition.computeIfAbsent(driverPartition, p -> last(REMEMBERED))
        .computeIfAbsent(application, a -> new Wanted(type, since == null ? 0 : now - since));
  }

  /**
   * Updates what an application has come to want. Has no effect if it is not, or no longer, among the last
   * applications.
   *
   * @param wanted the executors that it requests and holds now; may be incomplete if it wants no more than
   *     before
   * @param total the number of executors that it requests and holds now
   */
  public void update(Object application, String driverPartition, Collection<Demand> wanted, long total,
      long now) {
    Wanted known = known(application, driverPartition);
    if (known == null) {
      return;
    }
    Map<String, Long> numbers = new HashMap<>();
    for (Demand demand : wanted) {
      known.sizes.merge(demand.partition(), demand.size(), DemandHistory::largest);
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
   * among the last applications. None either if it has wanted none for longer than nine in ten
   * applications took: perhaps it needs no executors, waits for another application, or hangs.
   *
   * @param expected returns what it was expected to come to want in total; called only if it counts
   */
  public List<Demand> remaining(Object application, String driverPartition,
      Supplier<List<Demand>> expected, long now) {
    Wanted known = known(application, driverPartition);
    if (known == null) {
      Long since = startingUp.get(application);
      return since == null || now - since > startUp(driverPartition) ? Collections.emptyList()
          : expected.get();
    }
    List<Demand> remaining = new ArrayList<>();
    if (now - known.grewAt < GROWTH) {
      for (Demand demand : expected.get()) {
        remaining.add(demand.withCount(demand.count() - known.most(demand.partition())));
      }
    }
    return remaining;
  }

  /** How long nine in ten applications take to want executors, at least ten seconds. */
  private long startUp(String driverPartition) {
    Collection<Wanted> all = of(driverPartition);
    return all.size() < ENOUGH ? Long.MAX_VALUE
        : Math.max(GROWTH, quantile(all, application -> application.startUp, START_UP_QUANTILE));
  }

  /**
   * The largest executors that the application itself has requested, in this attempt or an earlier one, by
   * their partition; empty if it is not among the last applications.
   */
  public Map<String, ResourceVector> ownSizes(Object application, String driverPartition, int types) {
    Wanted known = known(application, driverPartition);
    if (known == null) {
      return Collections.emptyMap();
    }
    Map<String, ResourceVector> own = new HashMap<>(known.sizes);
    own.values().removeIf(size -> size.types() != types);
    return own;
  }

  private Wanted known(Object application, String driverPartition) {
    return byDriverPartition.getOrDefault(driverPartition, Collections.emptyMap()).get(application);
  }

  private Collection<Wanted> of(String driverPartition) {
    return byDriverPartition.getOrDefault(driverPartition, Collections.emptyMap()).values();
  }

  /**
   * The executors that an application is expected to come to want, one demand for each partition; empty if
   * nothing is known. The number is 0 if too few applications are known.
   *
   * @param type the type of the application
   * @param types the number of resource types that count now; sizes recorded with another number are
   *     ignored
   */
  public List<Demand> expected(String driverPartition, String type, int types) {
    List<Wanted> sample = sample(driverPartition, type, types);
    Map<String, List<ResourceVector>> sizes = new HashMap<>();
    for (Wanted application : sample) {
      application.sizes.forEach((partition, size) -> {
        if (size.types() == types) {
          sizes.computeIfAbsent(partition, p -> new ArrayList<>()).add(size);
        }
      });
    }
    List<Demand> expected = new ArrayList<>();
    sizes.forEach((partition, ofPartition) -> expected.add(new Demand(partition,
        ResourceVector.of(types, index -> size(ofPartition, size -> size.get(index))),
        number(sample, partition))));
    return expected;
  }

  /** The largest executors that the last applications have requested, one for each partition. */
  public Collection<ResourceVector> largest(String driverPartition, int types) {
    Map<String, ResourceVector> largest = new HashMap<>();
    of(driverPartition).forEach(application -> application.sizes.forEach((partition, size) -> {
      if (size.types() == types) {
        largest.merge(partition, size, ResourceVector::componentwiseMax);
      }
    }));
    return largest.values();
  }

  /** The applications of the type, or all if those are too few. */
  private List<Wanted> sample(String driverPartition, String type, int types) {
    List<Wanted> all = new ArrayList<>(of(driverPartition));
    all.removeIf(application -> !application.isComparable(types));
    List<Wanted> ofType = new ArrayList<>(all);
    ofType.removeIf(application -> !application.type.equals(type));
    return ofType.size() >= ENOUGH ? ofType : all;
  }

  private static <T> long size(List<T> sample, ToLongFunction<T> amount) {
    return quantile(sample, amount, sample.size() < ENOUGH ? 1 : SIZE_QUANTILE);
  }

  /** Those that wanted none in the partition count too. */
  private static long number(List<Wanted> sample, String partition) {
    return sample.size() < ENOUGH ? 0
        : quantile(sample, application -> application.average(partition), NUMBER_QUANTILE);
  }

  /** The smallest amount that is not exceeded by this fraction of the sample. */
  private static <T> long quantile(Collection<T> sample, ToLongFunction<T> amount, double fraction) {
    long[] amounts = sample.stream().mapToLong(amount).toArray();
    Arrays.sort(amounts);
    return amounts[(int) Math.ceil(fraction * amounts.length) - 1];
  }

  private static ResourceVector largest(ResourceVector one, ResourceVector other) {
    return one.types() == other.types() ? one.componentwiseMax(other) : other;
  }

  private static <V> Map<Object, V> last(int count) {
    return new LinkedHashMap<Object, V>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Object, V> eldest) {
        return size() > count;
      }
    };
  }
}
