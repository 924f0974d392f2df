// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.view;

import javax.management.openmbean.CompositeData;

/**
 * The live view of the state-aware queues of one process. Each table is an array of flat rows. Times are
 * in milliseconds since 1970; an unknown number is -1, an unknown text is empty.
 *
 * <p>A standard MBean whose attributes have open types, so any JMX client can read it. As an MXBean it
 * would need a class for each table.
 */
public interface LiveViewMBean {

  /** The version of Dripfeed; empty if it is unknown. */
  String getVersion();

  /** The version of Hadoop. */
  String getHadoopVersion();

  /** The time of the reading. */
  long getTime();

  /** When Dripfeed was loaded in this process. */
  long getStartTime();

  /** {@code yarn.resourcemanager.cluster-id} of the active ResourceManager. */
  String getClusterId();

  /** {@code yarn.resourcemanager.ha.id} of the active ResourceManager. */
  String getResourceManager();

  /** Every state-aware queue: its applications, its settings, and how it has moved. */
  CompositeData[] getQueues();

  /** The applications that have a driver and lack executors. */
  CompositeData[] getStarting();

  /** The applications that wait for their drivers, in order. */
  CompositeData[] getLine();

  /** The applications in YARN's own list, before the line. */
  CompositeData[] getPending();

  /** The last changes of state in this process, oldest first. */
  CompositeData[] getEvents();

  /** The last attempts in this process that a time limit made running; columns as in the events. */
  CompositeData[] getPromotions();

  /** How many older promotions are not kept any more. */
  long getForgottenPromotions();

  /** The last attempts in this process that ended while starting; columns as in the events. */
  CompositeData[] getEndedWhileStarting();

  /** How many older ones that ended while starting are not kept any more. */
  long getForgottenEndedWhileStarting();
}
