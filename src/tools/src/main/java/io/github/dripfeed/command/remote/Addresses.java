// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Problem;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Which ResourceManagers there are, as the call or {@code yarn-site.xml} says. */
public final class Addresses {

  private static final String RM = "yarn.resourcemanager.";

  private Addresses() {
  }

  /**
   * The addresses of {@code --rm}, or those of {@code yarn-site.xml} if it was not given.
   *
   * @param given the value of {@code --rm}; null if it was not given
   * @param yarnSite the configuration on the class path, without YARN's defaults
   * @throws Problem if there is none, or one is not valid
   */
  public static List<Address> find(String given, Configuration yarnSite) throws Problem {
    List<Address> addresses = new ArrayList<>();
    if (given != null) {
      for (String each : given.split(",", -1)) {
        addresses.add(Address.of(each));
      }
      return addresses;
    }
    boolean https = "HTTPS_ONLY".equals(yarnSite.getTrimmed("yarn.http.policy"));
    if (yarnSite.getBoolean(RM + "ha.enabled", false)) {
      for (String id : yarnSite.getTrimmedStrings(RM + "ha.rm-ids")) {
        add(yarnSite, "." + id, https, addresses);
      }
    } else {
      add(yarnSite, "", https, addresses);
    }
    if (addresses.isEmpty()) {
      throw new Problem(Problem.WRONG_CALL, "Which ResourceManager? Add --rm http://<host>:8088; the"
          + " yarn-site.xml on the class path names none");
    }
    return addresses;
  }

  private static void add(Configuration yarnSite, String suffix, boolean https, List<Address> addresses)
      throws Problem {
    String web = yarnSite.getTrimmed(RM + (https ? "webapp.https.address" : "webapp.address") + suffix);
    String host = yarnSite.getTrimmed(RM + "hostname" + suffix);
    if (web == null && host != null) {
      web = host + (https ? ":8090" : ":8088");
    }
    if (web != null) {
      addresses.add(Address.of((https ? "https://" : "http://") + web));
    }
  }
}
