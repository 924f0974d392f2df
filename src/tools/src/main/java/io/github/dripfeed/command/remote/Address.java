// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.tool.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** The web addresses of ResourceManagers. */
public final class Address {

  private static final String RM = "yarn.resourcemanager.";
  private static final int DEFAULT_PORT = 8088;
  private static final int MOST_PORT = 65_535;

  private Address() {
  }

  /** Also {@code host:8088} or {@code host}. A path is kept: of a gateway to the ResourceManager. */
  public static URI of(String text) throws Problem {
    String trimmed = text.trim();
    boolean isWhole = trimmed.contains("://");
    URISyntaxException cause = null;
    try {
      URI uri = new URI(isWhole ? trimmed : "http://" + trimmed);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (scheme.matches("https?") && uri.getHost() != null && uri.getPort() <= MOST_PORT
          && uri.getUserInfo() == null && uri.getQuery() == null) {
        return new URI(scheme, null, uri.getHost(),
            uri.getPort() >= 0 || isWhole ? uri.getPort() : DEFAULT_PORT,
            uri.getPath().replaceAll("/+(cluster(/.*)?)?$", ""), null, null);
      }
    } catch (URISyntaxException e) {
      cause = e;
    }
    throw new Problem(Problem.WRONG_CALL, "--rm = '" + text + "': allowed is the web address of a"
        + " ResourceManager, such as http://host:8088, or several, separated by commas", cause);
  }

  /**
   * Those of {@code --rm}, or of {@code yarn-site.xml} if it was not given.
   *
   * @param yarnSite the configuration on the class path, without YARN's defaults
   */
  public static List<URI> find(String given, Configuration yarnSite) throws Problem {
    List<URI> addresses = new ArrayList<>();
    if (given != null) {
      for (String each : given.split(",", -1)) {
        addresses.add(of(each));
      }
      return addresses;
    }
    boolean https = "HTTPS_ONLY".equals(yarnSite.getTrimmed("yarn.http.policy"));
    boolean isPair = yarnSite.getBoolean(RM + "ha.enabled", false);
    for (String id : isPair ? yarnSite.getTrimmedStrings(RM + "ha.rm-ids") : new String[] {""}) {
      String suffix = isPair ? "." + id : "";
      String host = yarnSite.getTrimmed(RM + "hostname" + suffix);
      String web = yarnSite.getTrimmed(RM + (https ? "webapp.https.address" : "webapp.address") + suffix,
          host == null ? null : host + (https ? ":8090" : ":8088"));
      if (web != null) {
        addresses.add(of((https ? "https://" : "http://") + web));
      }
    }
    if (addresses.isEmpty()) {
      throw new Problem(Problem.WRONG_CALL, "Which ResourceManager? Add --rm http://<host>:8088; the"
          + " yarn-site.xml on the class path names none");
    }
    return addresses;
  }
}
