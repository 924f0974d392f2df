// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.tool.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
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
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authentication.client.KerberosAuthenticator;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Reads over HTTP. Where a login is asked for, Hadoop's own client answers: with the Kerberos ticket of
 * {@code kinit}, or with the name of the user where Hadoop believes it. For one thread, which waits for
 * another one that asks: Java's time limits are for each byte, and a server may send one now and then.
 */
final class HttpReader {

  /** What one of the addresses answers over HTTP, whatever its status. Immutable. */
  static final class Answer {

    final int status;
    /** Where a redirection leads; null without one. */
    final String location;
    private final URI address;
    private final String path;
    private final String body;
    private final JsonNode tree;
    /** How a login is asked for; null if none is. */
    private final String challenge;

    private Answer(URI address, String path, HttpURLConnection connection) throws IOException {
      this.address = address;
      this.path = path;
      status = connection.getResponseCode();
      if (status < 0) {
        throw new IOException("it does not speak HTTP");
      }
      try (InputStream in = status < HttpURLConnection.HTTP_BAD_REQUEST
          ? connection.getInputStream() : connection.getErrorStream()) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (in != null && IOUtils.copyLarge(in, bytes, 0, MOST_BYTES + 1) > MOST_BYTES) {
          throw new IOException(TOO_LARGE + MOST_BYTES + " bytes");
        }
        body = new String(bytes.toByteArray(), StandardCharsets.UTF_8);
      }
      tree = status == HttpURLConnection.HTTP_OK ? tree(body) : null;
      location = connection.getHeaderField("Location");
      challenge = connection.getHeaderField("WWW-Authenticate");
    }

    /** Java itself may have answered with a ticket; the proof of the server's side is no question. */
    boolean asksForLogin() {
      return status == HttpURLConnection.HTTP_UNAUTHORIZED && challenge != null
          && (challenge.startsWith("Negotiate") || challenge.startsWith("PseudoAuth"));
    }

    /** @throws Problem if it is not the JSON that was asked for */
    JsonNode json() throws Problem {
      if (status != HttpURLConnection.HTTP_OK) {
        throw refusal();
      }
      if (tree != null && tree.isObject()) {
        return tree;
      }
      throw new Problem(Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager, or"
          + " not all of one: its answer is not JSON: " + start());
    }

    /** Null for what is no JSON. The limit of time holds here: a number may have millions of digits. */
    private static JsonNode tree(String body) {
      try {
        return JSON.readTree(body);
      } catch (JsonProcessingException | StackOverflowError e) {
        return null;
      }
    }

    private Problem refusal() {
      if (location != null) {
        return new Problem(Problem.NO_DRIPFEED, address + path + " leads to " + location
            + ", which is not followed. Is that the address for --rm?");
      } else if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
        return new Problem(Problem.NOT_ALLOWED, "Not logged in: " + address + " asks for a login that"
            + " Hadoop's client does not know" + (challenge == null ? "" : ": " + challenge));
      } else if (status == HttpURLConnection.HTTP_FORBIDDEN) {
        return new Problem(Problem.NOT_ALLOWED, "Not allowed: " + address + path + " (403). Where"
            + " hadoop.security.instrumentation.requires.admin is true, only administrators may read /jmx");
      } else if (status >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
        return new Problem(Problem.UNREACHABLE,
            address + path + " answers with an error: " + status + " " + start());
      }
      return noResourceManager(path + " gives " + status);
    }

    Problem noResourceManager(String why) {
      return new Problem(
          Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager: " + why);
    }

    private String start() {
      // None of these looks twice at what it has passed: an answer may be all tags without an end.
      String text = body.replaceAll("(?s)<(script|style)[^<>]*>.*?(</\\1>|$)", " ")
          .replaceAll("<[^<>]*>", " ").replaceAll("\\s+", " ").trim();
      return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_SHOWN = 200;
  /** More than any ResourceManager serves here. */
  private static final int MOST_BYTES = 64 << 20;
  /** How long a whole answer may take, in time-outs, with the login before it. */
  private static final int MOST_TIMEOUTS = 3;
  /** Where Hadoop's client logs in, with OPTIONS: the REST API would not give the 200 that it expects. */
  private static final String LOGIN = "/conf";
  private static final String TOO_LARGE = "the answer is larger than ";

  private final Configuration hadoop;
  private final int timeoutSeconds;
  private final int connectSeconds;
  private final Consumer<String> progress;
  /** A proof of login is for the host that gave it. */
  private final Map<URI, AuthenticatedURL.Token> tokens = new ConcurrentHashMap<>();
  private volatile SSLFactory ssl;
  /** The last one that was opened. */
  private volatile HttpURLConnection current;

  /**
   * @param hadoop the configuration on the class path, for {@code ssl-client.xml}
   * @param progress told each second who is asked, and then an empty text
   */
  HttpReader(Configuration hadoop, int timeoutSeconds, int connectSeconds, Consumer<String> progress) {
    this.hadoop = hadoop;
    this.progress = progress;
    this.connectSeconds = connectSeconds;
    this.timeoutSeconds = timeoutSeconds;
  }

  /** Asks once. Redirections are not followed: they may lead to another host. */
  Answer get(URI address, String path) throws Problem {
    FutureTask<Answer> question = new FutureTask<>(() -> ask(address, path));
    start(question);
    int most = MOST_TIMEOUTS * timeoutSeconds;
    try {
      for (int seconds = 1; seconds <= most; seconds++) {
        try {
          return question.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          progress.accept("Asking " + address + " ... " + seconds + " s");
        }
      }
      throw new Problem(Problem.UNREACHABLE, "No whole answer from " + address + " within " + most + " s, "
          + MOST_TIMEOUTS + " times the limit (--timeout)");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Problem(Problem.UNREACHABLE, "Interrupted while " + address + " was asked", e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof Problem ? (Problem) cause
          : new Problem(Problem.WRONG_CALL, "The command failed: " + cause, cause);
    } finally {
      progress.accept("");
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

  private Answer ask(URI address, String path) throws Problem {
    try {
      URL url = new URL(address + path);
      AuthenticatedURL.Token token = tokens.get(address);
      Answer answer = new Answer(address, path, token == null
          ? configured((HttpURLConnection) url.openConnection()) : client().openConnection(url, token));
      if (answer.asksForLogin()) {
        // The first time, or the token is too old.
        token = new AuthenticatedURL.Token();
        client().openConnection(new URL(address + LOGIN), token);
        tokens.put(address, token);
        answer = new Answer(address, path, client().openConnection(url, token));
      }
      return answer;
    } catch (AuthenticationException e) {
      tokens.remove(address);
      throw notLoggedIn(address, e);
    } catch (IOException e) {
      throw new Problem(Problem.UNREACHABLE, reasonOf(address, e), e);
    }
  }

  private AuthenticatedURL client() {
    return new AuthenticatedURL(new KerberosAuthenticator(), this::configured);
  }

  private HttpURLConnection configured(HttpURLConnection connection) throws IOException {
    current = connection;
    connection.setConnectTimeout((int) TimeUnit.SECONDS.toMillis(connectSeconds));
    connection.setReadTimeout((int) TimeUnit.SECONDS.toMillis(timeoutSeconds));
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

  /** Hadoop's client wraps the reason, some of its versions twice. */
  private static Problem notLoggedIn(URI address, AuthenticationException e) {
    Throwable reason = e;
    while (reason.getCause() instanceof AuthenticationException) {
      reason = reason.getCause();
    }
    String message = String.valueOf(reason.getCause() == null ? reason.getMessage() : reason.getCause());
    return new Problem(Problem.NOT_ALLOWED, "Not logged in: " + address
        + (message.contains("GSSException") || message.contains("LoginException")
            ? " asks for Kerberos, and there is no valid ticket (kinit, klist): "
            : " refuses the login: ") + message, e);
  }

  private String reasonOf(URI address, IOException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    String lower = message.toLowerCase(Locale.ROOT);
    if (e instanceof UnknownHostException) {
      return "No such host: " + address.getHost();
    } else if (e instanceof NoRouteToHostException) {
      return "No way to the host of " + address + ": " + message;
    } else if (e instanceof SocketTimeoutException && lower.contains("connect")) {
      return "No connection to " + address + " within " + connectSeconds + " s"
          + (connectSeconds == timeoutSeconds ? " (--timeout)" : "");
    } else if (e instanceof SocketTimeoutException) {
      return "No answer from " + address + " within " + timeoutSeconds + " s (--timeout)";
    } else if (e instanceof ConnectException) {
      return "Nothing listens at " + address + " (" + message + "). Does the ResourceManager run, and is"
          + " this its web address (yarn.resourcemanager.webapp.address)?";
    } else if (e instanceof SSLException && lower.contains("unrecognized ssl")) {
      return address + " does not speak HTTPS; try http://";
    } else if (e instanceof SSLException) {
      return "The certificate of " + address + " is not accepted: " + message + ". ssl-client.xml of"
          + " Hadoop, or -Djavax.net.ssl.trustStore in YARN_CLIENT_OPTS, names the certificates to trust";
    }
    return address + " cannot be read: " + message + (address.getScheme().equals("https")
        || message.contains(TOO_LARGE) ? "" : ". Is it an HTTPS address?");
  }
}
