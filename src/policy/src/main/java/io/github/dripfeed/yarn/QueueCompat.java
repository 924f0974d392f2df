// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.yarn;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.policy.QueueOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Access to queues and schedulers where versions of Hadoop differ in the class that declares a method
 * (docs/design.md#signatures-differ-between-versions). All version differences of queues are handled here.
 */
public final class QueueCompat {

  /** The getters of a class, by name: the monitor reads every queue in every round. */
  private static final ClassValue<Map<String, Method>> GETTERS = new ClassValue<Map<String, Method>>() {
    @Override
    protected Map<String, Method> computeValue(Class<?> type) {
      return Stream.of(type.getMethods()).filter(method -> method.getParameterCount() == 0)
          .collect(Collectors.toMap(Method::getName, Function.identity(), (one, other) -> one));
    }
  };

  private QueueCompat() {
  }

  /** The current ordering policy of a leaf queue, or null if it cannot be determined. */
  public static Object orderingPolicy(Queue queue) {
    return queue == null ? null : invokeGetter(queue, "getOrderingPolicy");
  }

  /** The name of the order of a parent queue's children, or null if it cannot be determined. */
  public static String orderOfChildren(Queue parent) {
    Object policy = invokeGetter(parent, "getQueueOrderingPolicy");
    return policy instanceof QueueOrderingPolicy
        ? ((QueueOrderingPolicy) policy).getConfigName() : null;
  }

  /**
   * The numeric value of a leaf queue's getter, whose type differs between versions, or NaN if it cannot
   * be determined.
   */
  public static double number(Queue leaf, String getter) {
    Object number = invokeGetter(leaf, getter);
    return number instanceof Number ? ((Number) number).doubleValue() : Double.NaN;
  }

  /**
   * The applications in YARN's own list, which its limit on drivers ({@code maximum-am-resource-percent})
   * does not let into the queue's order (docs/design.md#the-am-limit-comes-first). YARN does not report
   * them to the policy. A live view that needs no lock of YARN; not for scheduling threads.
   *
   * @param leaf may be null; then the result is empty
   */
  public static Collection<FiCaSchedulerApp> pendingApplications(Queue leaf) {
    Object pending = leaf == null ? null : invokeGetter(leaf, "getPendingApplications");
    return pending instanceof Collection ? cast(pending) : Collections.<FiCaSchedulerApp>emptyList();
  }

  @SuppressWarnings("unchecked")
  private static Collection<FiCaSchedulerApp> cast(Object applications) {
    return (Collection<FiCaSchedulerApp>) applications;
  }

  /**
   * Whether a scheduler allocates a container some time after it has chosen its application. The answer
   * stays the same as long as the scheduler runs: YARN decides it when it starts, and a refresh of {@code
   * schedule-asynchronously.enable} changes nothing but the property.
   *
   * <p>Hadoop before 3.3 does not tell what was decided, and the answer is the value of the property then.
   */
  public static boolean isAsynchronous(ResourceScheduler scheduler) {
    if (!(scheduler instanceof CapacityScheduler)) {
      return false;
    }
    Object threads = invokeGetter(scheduler, "getNumAsyncSchedulerThreads");
    // Not getConf(), which lacks the properties of capacity-scheduler.xml.
    return threads instanceof Number ? ((Number) threads).intValue() > 0
        : ((CapacityScheduler) scheduler).getConfiguration().getScheduleAynschronously();
  }

  /**
   * Visits the leaf queues below a queue, or the queue itself if it has none below it. As YARN's own pages
   * do it: only parents are locked, for the time in which their children are copied. Safe for any thread.
   */
  public static void visitLeaves(CSQueue queue, Consumer<CSQueue> visitor) {
    List<CSQueue> children = queue.getChildQueues();
    if (children == null || children.isEmpty()) {
      visitor.accept(queue);
    } else {
      children.forEach(child -> visitLeaves(child, visitor));
    }
  }

  /** What the public method of this name returns; null if the version at hand has none, or if it throws. */
  private static Object invokeGetter(Object target, String name) {
    try {
      Method getter = GETTERS.get(target.getClass()).get(name);
      return getter == null ? null : getter.invoke(target);
    } catch (IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }
}
