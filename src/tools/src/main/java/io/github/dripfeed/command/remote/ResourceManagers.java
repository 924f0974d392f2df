// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.dripfeed.terminal.Problem;
import io.github.dripfeed.wire.Wire;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/** The ResourceManagers of a cluster, of which the active one is asked. For one thread. */
public final class ResourceManagers {

  /** The active one. */
  private static final class Active {
    final Address address;
    /** Since when it is, in milliseconds since the epoch; -1 if that is unknown. */
    final long since;

    /** YARN sets this time whenever the ResourceManager becomes active; {@code StandbyTest} shows that. */
    Active(Address address, JsonNode info) {
      this.address = address;
      this.since = info.path("startedOn").asLong(-1);
    }
  }

  private static final String VIEW = "/jmx?qry=" + Wire.MBEAN;
  private static final String INFO = "/ws/v1/cluster/info";
  private static final String SCHEDULER = "/ws/v1/cluster/scheduler";
  private static final String ACTIVE = "ACTIVE";
  private static final String STANDBY = "STANDBY";
  /** What a standby answers to most questions: with the address of the active one, if it knows it. */
  private static final int TEMPORARY_REDIRECT = 307;
  private static final int MOST_SHOWN = 200;
  /**
   * How long the connection to one of several may take, in seconds: from a host without power nothing comes
   * back, and the other one would answer at once.
   */
  private static final int MOST_CONNECT_SECONDS = 3;

  private final List<Address> addresses;
  private final HttpReader http;
  private final Consumer<String> notices;
  private final ObjectMapper json = new ObjectMapper();
  /** Those that did not answer when the active one was last looked for, and why. */
  private final Map<Address, Problem> silent = new HashMap<>();
  /** The one that was found last. */
  private Active active;

  /**
   * @param addresses where they are; at least one
   * @param notices told when another one than before is the active one
   */
  public ResourceManagers(
      List<Address> addresses, Configuration hadoop, int timeoutSeconds, Consumer<String> notices) {
    this.addresses = new ArrayList<>(addresses);
    this.http = new HttpReader(hadoop, timeoutSeconds,
        addresses.size() > 1 ? Math.min(MOST_CONNECT_SECONDS, timeoutSeconds) : timeoutSeconds);
    this.notices = notices;
  }

  /** Where the next question goes first. */
  public Address first() {
    return addresses.get(0);
  }

  /**
   * Reads Dripfeed's tables from the active ResourceManager.
   *
   * @throws Problem if there is none, or it has no Dripfeed
   */
  public Reading read() throws Problem {
    String body = askActive(findActive(), VIEW);
    return reading(active.address, active.since, body);
  }

  private Reading reading(Address address, long since, String body) throws Problem {
    JsonNode beans = parsed(address, body).path("beans");
    if (!beans.isArray()) {
      throw new Problem(Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager: its"
          + " /jmx has no beans");
    }
    JsonNode bean = beans.path(0);
    if (!bean.path(Wire.Attribute.QUEUES.toString()).isArray()) {
      throw new Problem(Problem.NO_DRIPFEED, "The ResourceManager at " + address + " has no Dripfeed: no"
          + " queue has selected its policy since it started, or its jar is too old to be asked");
    }
    return new Reading(address, since, bean);
  }

  /**
   * Reads Dripfeed's tables from those on standby, which keep the events that they have seen. One that does
   * not tell them is named in a notice, and not asked again if it has not answered just before.
   *
   * @param active where the active one is, which is not asked again
   */
  public List<Reading> standbys(Address active) {
    List<Reading> standbys = new ArrayList<>();
    List<Address> others = new ArrayList<>(addresses);
    others.remove(active);
    for (Address address : others) {
      try {
        if (silent.containsKey(address)) {
          throw silent.get(address);
        }
        // It may be another address of the active one.
        if (haState(info(address)).equals(STANDBY)) {
          standbys.add(reading(address, -1, ask(address, VIEW)));
        }
      } catch (Problem e) {
        notices.accept("The events that " + address + " has seen are not shown: "
            + (e.exitCode() == Problem.NO_DRIPFEED
                ? "it does not tell them; before Hadoop 3.3 no standby does" : e.getMessage()));
      }
    }
    return standbys;
  }

  /**
   * What the active ResourceManager answers to a question of YARN's own REST interface.
   *
   * @param pathAndQuery below the address of the ResourceManager
   * @throws Problem if there is none, or it does not answer
   */
  public JsonNode ask(String pathAndQuery) throws Problem {
    String body = askActive(findActive(), pathAndQuery);
    return parsed(active.address, body);
  }

  /**
   * What YARN itself knows of an application.
   *
   * @param asked which ResourceManager was the active one just before
   * @return its row; null if YARN does not know it
   * @throws Problem if YARN does not say
   */
  public Row application(Address asked, String id) throws Problem {
    String path = "/ws/v1/cluster/apps/" + id;
    HttpReader.Answer answer = fromActive(asked, path);
    if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
      return null;
    }
    return new Row(parsed(asked, checked(asked, path, answer)).path("app"));
  }

  /**
   * What queues may still use. If YARN does not say, a notice tells why.
   *
   * @param asked which ResourceManager was the active one just before
   */
  public Rooms rooms(Address asked) {
    try {
      return new Rooms(parsed(asked, askActive(asked, SCHEDULER)));
    } catch (Problem e) {
      notices.accept("What is left in the queues is not shown: " + e.getMessage());
      return new Rooms(MissingNode.getInstance());
    }
  }

  private String askActive(Address asked, String path) throws Problem {
    return checked(asked, path, fromActive(asked, path));
  }

  /** What the active one answers, which since it said so may have become another one. */
  private HttpReader.Answer fromActive(Address asked, String path) throws Problem {
    HttpReader.Answer answer = http.get(asked, path);
    if (answer.status != TEMPORARY_REDIRECT) {
      return answer;
    }
    Address now = findActive();
    answer = http.get(now, path);
    if (answer.status == TEMPORARY_REDIRECT) {
      throw new Problem(Problem.UNREACHABLE, "The ResourceManager at " + now + " says that it is active,"
          + " and sends the question on like one on standby");
    }
    return answer;
  }

  /** Where the active one is; from then on it is the first to be asked. */
  private Address findActive() throws Problem {
    List<String> problems = new ArrayList<>();
    Problem last = null;
    boolean isRefused = false;
    silent.clear();
    for (Address address : new ArrayList<>(addresses)) {
      if (silent.containsKey(address)) {
        // The one before led to it; its problem is told already.
        continue;
      }
      try {
        Active found = activeFrom(address, problems);
        if (found != null) {
          active = found;
          if (!found.address.equals(addresses.get(0))) {
            notices.accept(
                addresses.get(0) + " is not the active ResourceManager; asking " + found.address);
            addresses.remove(found.address);
            addresses.add(0, found.address);
          }
          return found.address;
        }
      } catch (Problem e) {
        problems.add(e.getMessage());
        last = e;
        isRefused |= e.exitCode() == Problem.NOT_ALLOWED;
      }
    }
    // Whichever was asked first: a login is what the one who called can do something about.
    int exitCode = isRefused ? Problem.NOT_ALLOWED
        : last == null || addresses.size() > 1 ? Problem.UNREACHABLE : last.exitCode();
    throw new Problem(exitCode, (problems.size() > 1 ? "No ResourceManager is active:\n  " : "")
        + String.join("\n  ", problems));
  }

  /** This one if it is active, or the one to which it leads; null after adding why there is none. */
  private Active activeFrom(Address address, List<String> problems) throws Problem {
    JsonNode info = info(address);
    String state = haState(info);
    if (state.equals(ACTIVE)) {
      return new Active(address, info);
    } else if (!state.equals(STANDBY)) {
      problems.add("The ResourceManager at " + address + " is not ready: it is starting or ending (" + state
          + ")");
      return null;
    }
    // A standby leads to the active one, from every page but a few.
    HttpReader.Answer answer = http.get(address, "/ws/v1/cluster/metrics");
    Address other = leadsTo(answer);
    if (other != null && !other.equals(address)) {
      info = info(other);
      if (haState(info).equals(ACTIVE)) {
        return new Active(other, info);
      }
    }
    problems.add("The ResourceManager at " + address + " is on standby, and knows no active one");
    return null;
  }

  /** The address to which it leads; null if that is none, as some proxies answer. */
  private static Address leadsTo(HttpReader.Answer answer) {
    try {
      return answer.location == null ? null
          : Address.of(answer.location.replaceAll("/ws/v1/cluster/metrics.*", ""));
    } catch (Problem e) {
      return null;
    }
  }

  private JsonNode info(Address address) throws Problem {
    HttpReader.Answer answer;
    try {
      answer = http.get(address, INFO);
    } catch (Problem e) {
      silent.put(address, e);
      throw e;
    }
    JsonNode info = parsed(address, checked(address, INFO, answer)).path("clusterInfo");
    if (!info.isObject()) {
      throw new Problem(Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager: it has"
          + " no " + INFO);
    }
    return info;
  }

  private static String haState(JsonNode info) {
    return info.path("haState").asText(ACTIVE);
  }

  private String ask(Address address, String path) throws Problem {
    return checked(address, path, http.get(address, path));
  }

  private static String checked(Address address, String path, HttpReader.Answer answer) throws Problem {
    if (answer.status == HttpURLConnection.HTTP_OK) {
      return answer.body;
    } else if (answer.location != null) {
      throw new Problem(Problem.NO_DRIPFEED, address + path + " leads to " + answer.location
          + ", which is not followed. Is that the address for --rm?");
    } else if (answer.status == HttpURLConnection.HTTP_UNAUTHORIZED) {
      throw new Problem(Problem.NOT_ALLOWED, "Not logged in: " + address + " asks for a login that Hadoop's"
          + " client does not know" + (answer.challenge == null ? "" : ": " + answer.challenge));
    } else if (answer.status == HttpURLConnection.HTTP_FORBIDDEN) {
      throw new Problem(Problem.NOT_ALLOWED, "Not allowed: " + address + path + " (403). Where"
          + " hadoop.security.instrumentation.requires.admin is true, only administrators may read /jmx");
    } else if (answer.status >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
      throw new Problem(Problem.UNREACHABLE, address + path + " answers with an error: " + answer.status
          + " " + start(answer.body));
    }
    throw new Problem(Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager: "
        + path + " gives " + answer.status);
  }

  private JsonNode parsed(Address address, String body) throws Problem {
    Throwable cause = null;
    try {
      JsonNode tree = json.readTree(body);
      if (tree != null && tree.isObject()) {
        return tree;
      }
    } catch (JsonProcessingException | StackOverflowError e) {
      cause = e;
    }
    throw new Problem(Problem.NO_DRIPFEED, "What answers at " + address + " is no ResourceManager, or not"
        + " all of one: its answer is not JSON: " + start(body), cause);
  }

  private static String start(String body) {
    String text = body.replaceAll("(?s)<(script|style)[^>]*>.*?</\\1>", " ").replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ").trim();
    return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
  }
}
