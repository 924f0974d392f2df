// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import io.github.dripfeed.terminal.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.ConnectionConfigurator;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Reads over HTTP. Where a login is asked for, Hadoop's own client answers: with the Kerberos ticket of
 * {@code kinit}, or with the name of the user where Hadoop believes it. Where {@code ssl-client.xml} names
 * a trust store, it counts. For one thread, which waits for another one that asks: Java's time limits are
 * for each byte, so that a server that sends one now and then would hold who reads for ever.
 */
final class HttpReader {

  /** An answer over HTTP, whatever its status. Immutable. */
  static final class Answer {

    final int status;
    final String body;
    /** Where a redirection leads; null without one. */
    final String location;
    /** How a login is asked for; null if none is. */
    final String challenge;

    Answer(int status, String body, String location, String challenge) {
      this.status = status;
      this.body = body;
      this.location = location;
      this.challenge = challenge;
    }
  }

  /** More than any ResourceManager serves here. */
  private static final int MOST_BYTES = 64 << 20;
  /**
   * How long a whole answer may take, in time-outs, with the login before it: a long line over a slow
   * connection takes its time.
   */
  private static final long MOST_TIMEOUTS = 3;

  /**
   * Where to log in: Hadoop's client does so with OPTIONS and takes 200 for an answer, but the REST API
   * gives 204. Also a standby serves this page, and OPTIONS reads nothing of it.
   */
  private static final String LOGIN = "/conf";

  private static final String TOO_LARGE = "the answer is larger than ";

  private final Configuration hadoop;
  private final int timeoutMillis;
  private final int connectMillis;
  /** A proof of login is for the host that gave it. */
  private final Map<Address, AuthenticatedURL.Token> tokens = new ConcurrentHashMap<>();
  private volatile SSLFactory ssl;
  /** The last one that was opened. */
  private volatile HttpURLConnection current;

  /**
   * @param hadoop the configuration on the class path, for {@code ssl-client.xml}
   * @param connectSeconds the limit until a connection is there, not longer than the other one
   */
  HttpReader(Configuration hadoop, int timeoutSeconds, int connectSeconds) {
    this.hadoop = hadoop;
    this.connectMillis = (int) TimeUnit.SECONDS.toMillis(connectSeconds);
    this.timeoutMillis = (int) TimeUnit.SECONDS.toMillis(timeoutSeconds);
  }

  /**
   * Asks once. Redirections are not followed: they may lead to another host.
   *
   * @throws Problem if there is no answer, or the login fails
   */
  Answer get(Address address, String pathAndQuery) throws Problem {
    FutureTask<Answer> question = new FutureTask<>(() -> ask(address, pathAndQuery));
    start(question);
    long most = MOST_TIMEOUTS * timeoutMillis;
    try {
      return question.get(most, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new Problem(Problem.UNREACHABLE, "No whole answer from " + address + " within "
          + TimeUnit.MILLISECONDS.toSeconds(most) + " s, " + MOST_TIMEOUTS + " times the limit (--timeout)",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(Problem.UNREACHABLE, "Interrupted while " + address + " was asked", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Problem) {
        throw (Problem) cause;
      }
      throw new Problem(Problem.WRONG_CALL, "The command failed: " + cause, cause);
    } finally {
      HttpURLConnection open = current;
      if (!question.isDone() && open != null) {
        // In another thread again: it may have to wait until the one that reads has the next part.
        start(open::disconnect);
      }
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "dripfeed-question");
    thread.setDaemon(true);
    thread.start();
  }

  private Answer ask(Address address, String pathAndQuery) throws Problem {
    try {
      URL url = address.resolve(pathAndQuery);
      AuthenticatedURL.Token token = tokens.get(address);
      Answer answer = get(token == null ? configured((HttpURLConnection) url.openConnection())
          : client().openConnection(url, token));
      if (asksForLogin(answer)) {
        // The first time, or the token is too old.
        token = new AuthenticatedURL.Token();
        client().openConnection(address.resolve(LOGIN), token);
        tokens.put(address, token);
        answer = get(client().openConnection(url, token));
      }
      return answer;
    } catch (AuthenticationException e) {
      tokens.remove(address);
      throw notLoggedIn(address, e);
    } catch (IOException e) {
      throw new Problem(Problem.UNREACHABLE, reasonOf(address, e), e);
    }
  }

  /** Java itself may have answered with a ticket already; the proof of the server's side is no question. */
  private static boolean asksForLogin(Answer answer) {
    return answer.status == HttpURLConnection.HTTP_UNAUTHORIZED && answer.challenge != null
        && (answer.challenge.startsWith("Negotiate") || answer.challenge.startsWith("PseudoAuth"));
  }

  private AuthenticatedURL client() {
    ConnectionConfigurator configurator = this::configured;
    KerberosAuthenticator kerberos = new KerberosAuthenticator();
    kerberos.setConnectionConfigurator(configurator);
    return new AuthenticatedURL(kerberos, configurator);
  }

  private HttpURLConnection configured(HttpURLConnection connection) throws IOException {
    current = connection;
    connection.setConnectTimeout(connectMillis);
    connection.setReadTimeout(timeoutMillis);
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Accept", "application/json");
    if (connection instanceof HttpsURLConnection) {
      try {
        if (ssl == null) {
          SSLFactory factory = new SSLFactory(SSLFactory.Mode.CLIENT, hadoop);
          factory.init();
          ssl = factory;
        }
        ssl.configure(connection);
      } catch (GeneralSecurityException e) {
        throw new IOException("ssl-client.xml: " + e.getMessage(), e);
      }
    }
    return connection;
  }

  private static Answer get(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    if (status < 0) {
      throw new IOException("it does not speak HTTP");
    }
    InputStream in = status < HttpURLConnection.HTTP_BAD_REQUEST
        ? connection.getInputStream() : connection.getErrorStream();
    return new Answer(status, in == null ? "" : textOf(in),
        connection.getHeaderField("Location"), connection.getHeaderField("WWW-Authenticate"));
  }

  private static String textOf(InputStream stream) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = stream) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        bytes.write(buffer, 0, count);
        if (bytes.size() > MOST_BYTES) {
          throw new IOException(TOO_LARGE + MOST_BYTES + " bytes");
        }
      }
    }
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }

  private static Problem notLoggedIn(Address address, AuthenticationException e) {
    String message = reasonOf(e);
    String why = message.contains("GSSException") || message.contains("LoginException")
        ? "Not logged in: " + address + " asks for Kerberos, and there is no valid ticket (kinit, klist): "
        : "Not logged in: " + address + " refuses the login: ";
    return new Problem(Problem.NOT_ALLOWED, why + message, e);
  }

  /** Hadoop's client wraps the reason, some of its versions twice. */
  private static String reasonOf(AuthenticationException e) {
    Throwable reason = e;
    while (reason.getCause() instanceof AuthenticationException) {
      reason = reason.getCause();
    }
    return reason.getCause() == null ? String.valueOf(reason.getMessage()) : reason.getCause().toString();
  }

  private String reasonOf(Address address, IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    if (e instanceof UnknownHostException) {
      return "No such host: " + address.host();
    } else if (e instanceof NoRouteToHostException) {
      return "No way to the host of " + address + ": " + message;
    } else if (e instanceof SocketTimeoutException
        && message.toLowerCase(Locale.ROOT).contains("connect")) {
      return "No connection to " + address + " within " + TimeUnit.MILLISECONDS.toSeconds(connectMillis)
          + " s" + (connectMillis == timeoutMillis ? " (--timeout)" : "");
    } else if (e instanceof SocketTimeoutException) {
      return "No answer from " + address + " within " + TimeUnit.MILLISECONDS.toSeconds(timeoutMillis)
          + " s (--timeout)";
    } else if (e instanceof ConnectException) {
      return "Nothing listens at " + address + " (" + message + "). Does the ResourceManager run, and is"
          + " this its web address (yarn.resourcemanager.webapp.address)?";
    } else if (e instanceof SSLException && message.toLowerCase(Locale.ROOT).contains("unrecognized ssl")) {
      return address + " does not speak HTTPS; try http://";
    } else if (e instanceof SSLException) {
      return "The certificate of " + address + " is not accepted: " + message + ". ssl-client.xml of"
          + " Hadoop, or -Djavax.net.ssl.trustStore in YARN_CLIENT_OPTS, names the certificates to trust";
    }
    return address + " cannot be read: " + message
        + (address.isHttps() || message.contains(TOO_LARGE) ? "" : ". Is it an HTTPS address?");
  }
}
