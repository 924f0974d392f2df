/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.yarn;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.policy.QueueOrderingPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;

/**
 * Queues where versions of Hadoop differ: in which class declares a method
 * (docs/design.md#signatures-differ-between-versions), and in
 * the name by which a queue is found. All such differences are dealt with here.
 */
public final class QueueCompat {

  /** Looked up once for each class of queues, since the monitor asks every queue in every round. */
  private static final ClassValue<Method> ORDERING_POLICY = new ClassValue<Method>() {
    @Override
    protected Method computeValue(Class<?> queue) {
      return getter(queue, "getOrderingPolicy");
    }
  };

  private QueueCompat() {
  }

  /** The policy that orders the applications of a leaf queue now, or null if it cannot be told. */
  public static Object orderingPolicy(Queue queue) {
    return queue == null ? null : ask(queue, ORDERING_POLICY.get(queue.getClass()));
  }

  /**
   * The queue of this path, or null if there is none. Hadoop before 3.3 knows queues by the last part of
   * their path alone.
   */
  public static CSQueue find(CapacityScheduler scheduler, String path) {
    CSQueue queue = scheduler.getQueue(path);
    if (queue == null) {
      queue = scheduler.getQueue(path.substring(path.lastIndexOf('.') + 1));
    }
    return queue != null && queue.getQueuePath().equals(path) ? queue : null;
  }

  /** What the scheduler knows the queue by: its path, or, before Hadoop 3.3, the last part of that. */
  public static String nameOf(CapacityScheduler scheduler, CSQueue queue) {
    String path = queue.getQueuePath();
    return scheduler.getQueue(path) == null ? queue.getQueueName() : path;
  }

  /** By what a parent queue orders its children, or null if it cannot be told. */
  public static String orderOfChildren(Queue parent) {
    Object policy = ask(parent, "getQueueOrderingPolicy");
    return policy instanceof QueueOrderingPolicy
        ? ((QueueOrderingPolicy) policy).getConfigName() : null;
  }

  /**
   * A number that a leaf queue goes by, or NaN if it cannot be told: its type is another in each version.
   */
  public static double number(Queue leaf, String getter) {
    Object number = ask(leaf, getter);
    return number instanceof Number ? ((Number) number).doubleValue() : Double.NaN;
  }

  /** The applications that YARN's limit on drivers keeps out of the queue's policy: a live view. */
  static Collection<FiCaSchedulerApp> pendingApplications(Queue leaf) {
    Object pending = ask(leaf, "getPendingApplications");
    return pending instanceof Collection ? cast(pending) : Collections.<FiCaSchedulerApp>emptyList();
  }

  @SuppressWarnings("unchecked")
  private static Collection<FiCaSchedulerApp> cast(Object applications) {
    return (Collection<FiCaSchedulerApp>) applications;
  }

  private static Object ask(Queue queue, String getter) {
    return ask(queue, getter(queue.getClass(), getter));
  }

  private static Object ask(Queue queue, Method getter) {
    try {
      return getter == null ? null : getter.invoke(queue);
    } catch (IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }

  private static Method getter(Class<?> queue, String name) {
    try {
      return queue.getMethod(name);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
