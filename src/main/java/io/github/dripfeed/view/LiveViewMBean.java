/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
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
