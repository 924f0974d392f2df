/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.simulator;

import java.io.Serializable;

/**
 * What a waiting application was told about its start, and when it started.
 *
 * @param place its place in the line; 1 is next
 * @param known whether it was given a range
 * @param earliest the range begins so many seconds after the question
 * @param latest it ends so many seconds after it
 * @param started its driver was allocated so many seconds after it; infinite if it never was
 */
record ForecastAnswer(int place, boolean known, long earliest, long latest, double started)
    implements Serializable {

  /** It started before the range. */
  boolean isEarlier() {
    return known && started < earliest;
  }

  /** It started after the range, or never. */
  boolean isLater() {
    return known && started > latest;
  }

  boolean isWithin() {
    return known && !isEarlier() && !isLater();
  }

  long width() {
    return latest - earliest;
  }
}
