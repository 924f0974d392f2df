// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Problem;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;

/** The web address of a ResourceManager. Immutable. */
public final class Address {

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
