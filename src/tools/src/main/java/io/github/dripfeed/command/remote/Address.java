// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Problem;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The web address of a ResourceManager. Immutable. */
public final class Address {

  private static final String RM = "yarn.resourcemanager.";
  private static final int DEFAULT_PORT = 8088;
  private static final int MOST_PORT = 65_535;

  private final URI uri;

  private Address(URI uri) {
    this.uri = uri;
  }

  /**
   * Parses {@code http://host:8088}, {@code https://host:8090}, {@code host:8088} or {@code host}. A path
   * is kept: a gateway may have the ResourceManager below one.
   *
   * @throws Problem if it is no such address
   */
  public static Address of(String text) throws Problem {
    String trimmed = text.trim();
    try {
      URI uri = new URI(trimmed.contains("://") ? trimmed : "http://" + trimmed);
      boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (!isWeb || uri.getHost() == null || uri.getPort() > MOST_PORT
          || uri.getUserInfo() != null || uri.getQuery() != null) {
        throw new Problem(Problem.WRONG_CALL, wrong(text));
      }
      int port = uri.getPort() >= 0 || trimmed.contains("://") ? uri.getPort() : DEFAULT_PORT;
      String path = uri.getPath().replaceAll("/+(cluster(/.*)?)?$", "");
      return new Address(new URI(uri.getScheme(), null, uri.getHost(), port, path, null, null));
    } catch (URISyntaxException e) {
      throw new Problem(Problem.WRONG_CALL, wrong(text), e);
    }
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
        addresses.add(of(each));
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
      addresses.add(of((https ? "https://" : "http://") + web));
    }
  }

  private static String wrong(String text) {
    return "--rm = '" + text + "': allowed is the web address of a ResourceManager, such as"
        + " http://host:8088, or several, separated by commas";
  }

  /** Where this is found below the address. */
  URL resolve(String pathAndQuery) throws MalformedURLException {
    return new URL(uri + pathAndQuery);
  }

  String host() {
    return uri.getHost();
  }

  boolean isHttps() {
    return uri.getScheme().equals("https");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Address && ((Address) other).uri.equals(uri);
  }

  @Override
  public int hashCode() {
    return uri.hashCode();
  }

  @Override
  public String toString() {
    return uri.toString();
  }
}
