/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed;

import org.apache.hadoop.util.ComparableVersion;
import org.apache.hadoop.util.VersionInfo;

/** The Hadoop that the tests run on, for what not all of them can do. */
final class HadoopVersion {

  private HadoopVersion() {
  }

  /** @param version such as {@code 3.3} */
  static boolean isAtLeast(String version) {
    return new ComparableVersion(VersionInfo.getVersion())
        .compareTo(new ComparableVersion(version)) >= 0;
  }
}
