// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.dripfeed.command.remote.HttpReader.Answer;
import io.github.dripfeed.tool.Problem;
import io.github.dripfeed.wire.Wire;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** The ResourceManagers of a cluster, of which the active one is asked. For one thread. */
public final class ResourceManagers {

  private static final String RM = "yarn.resourcemanager.";
  private static final String VIEW = "/jmx?qry=" + Wire.MBEAN;
  private static final String RUNTIME = "/jmx?qry=java.lang:type=Runtime";
  private static final String CLUSTER = "/ws/v1/cluster/";
  private static final String SCHEDULER = CLUSTER + "scheduler";
  private static final String QUEUES = Wire.Attribute.QUEUES.toString();
  private static final String ACTIVE = "ACTIVE";
  private static final String STANDBY = "STANDBY";
  /** What a standby answers to most questions: with the address of the active one, if it knows it. */
  private static final int TEMPORARY_REDIRECT = 307;
  /** For a connection to one of several: a host without power is silent, and another one answers. */
  private static final int MOST_CONNECT_SECONDS = 3;

  /** The active one that was found last is the first. */
  private final List<URI> addresses;
  private final HttpReader http;
  private final Consumer<String> notices;
  /** Those that did not answer when the active one was last looked for, and why. */
  private final Map<URI, Problem> silent = new HashMap<>();
  /** Since when the active one is, in milliseconds since the epoch; -1 if that is unknown. */
  private long activeSince;
  private String hadoop = "";

  /**
   * @param given their web addresses, separated by commas; null for those of {@code yarn-site.xml}
   * @param yarnSite the configuration on the class path, without YARN's defaults
   * @param notices told what is not shown, and when another one than before is the active one
   * @param progress told each second for whose answer it waits, and then an empty text
   */
  public ResourceManagers(String given, Configuration yarnSite, int timeoutSeconds,
      Consumer<String> notices, Consumer<String> progress) throws Problem {
    this.addresses = find(given, yarnSite);
    this.http = new HttpReader(yarnSite, timeoutSeconds, addresses.size() > 1
        ? Math.min(MOST_CONNECT_SECONDS, timeoutSeconds) : timeoutSeconds, progress);
    this.notices = notices;
  }

  /** The addresses that are given, or those that the configuration names. */
  public static List<URI> find(String given, Configuration yarnSite) throws Problem {
    List<URI> addresses = new ArrayList<>();
    if (given != null) {
      for (String each : given.split(",", -1)) {
        addresses.add(address(each));
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
        addresses.add(address((https ? "https://" : "http://") + web));
      }
    }
    if (addresses.isEmpty()) {
      throw new Problem(Problem.WRONG_CALL, "Which ResourceManager? Add --rm http://<host>:8088; the"
          + " yarn-site.xml on the class path names none");
    }
    return addresses;
  }

  /** Also {@code host:8088} or {@code host}. A path is kept: of a gateway to the ResourceManager. */
  private static URI address(String text) throws Problem {
    String trimmed = text.trim();
    boolean isWhole = trimmed.contains("://");
    URISyntaxException cause = null;
    try {
      URI uri = new URI(isWhole ? trimmed : "http://" + trimmed);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (scheme.matches("https?") && uri.getHost() != null && uri.getPort() <= 65_535
          && uri.getUserInfo() == null && uri.getQuery() == null) {
        return new URI(scheme, null, uri.getHost(),
            uri.getPort() >= 0 || isWhole ? uri.getPort() : 8088,
            uri.getPath().replaceAll("/+(cluster(/.*)?)?$", ""), null, null);
      }
    } catch (URISyntaxException e) {
      cause = e;
    }
    throw new Problem(Problem.WRONG_CALL, "--rm = '" + text + "': allowed is the web address of a"
        + " ResourceManager, such as http://host:8088, or several, separated by commas", cause);
  }

  private URI first() {
    return addresses.get(0);
  }

  /** Reads Dripfeed's tables from the active ResourceManager. */
  public Reading read() throws Problem {
    findActive();
    ObjectNode bean = bean(fromActive(VIEW));
    boolean isUsed = bean.size() > 0;
    if (bean.path(QUEUES).size() == 0) {
      // Until one of them has an application, YARN alone tells which they are.
      ArrayNode queues = bean.putArray(QUEUES);
      new Rooms(fromActive(SCHEDULER).json()).queues.forEach((path, queue) -> {
        if (Rooms.isStateAware(queue)) {
          queues.addObject().put(Wire.Column.QUEUE.toString(), path);
        }
      });
      if (queues.size() == 0 && !isUsed) {
        throw new Problem(Problem.NO_DRIPFEED, "No queue of the ResourceManager at " + first() + " has"
            + " Dripfeed's policy. Set the ordering-policy of one to"
            + " io.github.dripfeed.StateAwareOrderingPolicy, check the file (check --help), and refresh"
            + " the queues");
      }
    }
    return new Reading(first(), activeSince, bean);
  }

  /** An empty one where no queue has had an application. */
  private static ObjectNode bean(Answer answer) throws Problem {
    JsonNode beans = answer.json().path("beans");
    if (!beans.isArray()) {
      throw answer.noResourceManager("its /jmx has no beans");
    }
    return beans.path(0).isObject() ? (ObjectNode) beans.path(0) : JsonNodeFactory.instance.objectNode();
  }

  /** Reads the tables of those on standby, which keep the events that they have seen. */
  public List<Reading> standbys() {
    List<Reading> standbys = new ArrayList<>();
    for (URI address : addresses) {
      try {
        // It may be another address of the active one.
        if (!address.equals(first()) && state(info(address)).equals(STANDBY)) {
          standbys.add(new Reading(address, -1, bean(http.get(address, VIEW))));
        }
      } catch (Problem e) {
        notices.accept("The events that " + address + " has seen are not shown: "
            + (e.exitCode == Problem.NO_DRIPFEED
                ? "it does not tell them; before Hadoop 3.3 no standby does" : e.getMessage()));
      }
    }
    return standbys;
  }

  /** Of each process: its state, its Hadoop, and with which of Dripfeed's jars it was started. */
  public List<Row> processes() {
    List<Row> rows = new ArrayList<>();
    for (URI address : addresses) {
      ObjectNode row = JsonNodeFactory.instance.objectNode().put("address", address.toString());
      try {
        JsonNode info = info(address);
        String classpath = http.get(address, RUNTIME).json().at("/beans/0/ClassPath").asText();
        row.put("state", state(info)).put("hadoop", info.path("hadoopVersion").asText()).put("jars",
            Stream.of(classpath.split(":")).map(entry -> entry.replaceFirst(".*/", "")).distinct()
                .filter(jar -> jar.matches("dripfeed-yarn.*\\.jar")).collect(Collectors.joining(" ")));
      } catch (Problem e) {
        row.put("problem", e.getMessage());
      }
      rows.add(new Row(row));
    }
    return rows;
  }

  /** What the active one answers to a question of YARN's own REST interface. */
  public JsonNode ask(String path) throws Problem {
    findActive();
    return fromActive(path).json();
  }

  /** What YARN's own REST interface tells of queues, applications and nodes, without Dripfeed. */
  public Cluster cluster() throws Problem {
    JsonNode scheduler = ask(SCHEDULER);
    String type = scheduler.at("/scheduler/schedulerInfo/type").asText();
    if (!type.equals("capacityScheduler")) {
      throw new Problem(Problem.NO_DRIPFEED, "The ResourceManager at " + first() + " has no Capacity"
          + " Scheduler: it says that it has '" + type + "'");
    }
    return new Cluster(first(), scheduler, fromActive(CLUSTER
        + "apps?states=ACCEPTED,RUNNING&deSelects=timeouts,resourceInfo").json(),
        fromActive(CLUSTER + "nodes?states=RUNNING").json(), hadoop);
  }

  /** What YARN itself says of an application; null if it does not know it. */
  public Row application(String id) throws Problem {
    Answer answer = fromActive(CLUSTER + "apps/" + id);
    if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
      return null;
    } else if (!answer.json().path("app").isObject()) {
      throw answer.noResourceManager("it says nothing of " + id);
    }
    return new Row(answer.json().path("app"));
  }

  /** What queues may still use; a notice tells why if that is unknown. */
  public Rooms rooms() {
    try {
      return new Rooms(fromActive(SCHEDULER).json());
    } catch (Problem e) {
      notices.accept("What is left in the queues is not shown: " + e.getMessage());
      return new Rooms(MissingNode.getInstance());
    }
  }

  /** What the active one answers, which since it said so may have become another one. */
  private Answer fromActive(String path) throws Problem {
    Answer answer = http.get(first(), path);
    if (answer.status == TEMPORARY_REDIRECT) {
      answer = http.get(findActive(), path);
      if (answer.status == TEMPORARY_REDIRECT) {
        throw new Problem(Problem.UNREACHABLE, "The ResourceManager at " + first() + " says that it is"
            + " active, and sends the question on like one on standby");
      }
    }
    return answer;
  }

  /** Where the active one is; from then on it is the first to be asked. */
  private URI findActive() throws Problem {
    // One may have led to another one that has a problem.
    Set<String> problems = new LinkedHashSet<>();
    int exitCode = Problem.UNREACHABLE;
    silent.clear();
    for (URI address : new ArrayList<>(addresses)) {
      try {
        URI active = activeFrom(address);
        if (!active.equals(first())) {
          notices.accept(first() + " is not the active ResourceManager; asking " + active);
          addresses.remove(active);
          addresses.add(0, active);
        }
        return active;
      } catch (Problem e) {
        problems.add(e.getMessage());
        // Whichever was asked first: a login is what the one who called can do something about.
        exitCode = e.exitCode == Problem.NOT_ALLOWED || addresses.size() == 1 ? e.exitCode : exitCode;
      }
    }
    throw new Problem(exitCode, (problems.size() > 1 ? "No ResourceManager is active:\n  " : "")
        + String.join("\n  ", problems));
  }

  /** This one if it is active, or the one to which it leads. */
  private URI activeFrom(URI address) throws Problem {
    JsonNode info = info(address);
    String state = state(info);
    URI active = address;
    if (state.equals(STANDBY)) {
      // It leads to the active one, from every page but a few.
      active = leadsTo(http.get(address, CLUSTER + "metrics"), address);
      info = active.equals(address) ? info : info(active);
    }
    if (!state(info).equals(ACTIVE)) {
      throw new Problem(Problem.UNREACHABLE, "The ResourceManager at " + address + (state.equals(STANDBY)
          ? " is on standby, and knows no active one"
          : " is not ready: it is starting or ending (" + state + ")"));
    }
    // YARN sets this time whenever the ResourceManager becomes active; StandbyTest shows that.
    activeSince = info.path("startedOn").asLong(-1);
    hadoop = info.path("hadoopVersion").asText();
    return active;
  }

  /** The address to which it leads; the other one if that is none, as some proxies answer. */
  private static URI leadsTo(Answer answer, URI otherwise) {
    try {
      return answer.location == null ? otherwise
          : address(answer.location.replaceAll(CLUSTER + "metrics.*", ""));
    } catch (Problem e) {
      return otherwise;
    }
  }

  private JsonNode info(URI address) throws Problem {
    if (silent.containsKey(address)) {
      throw silent.get(address);
    }
    try {
      Answer answer = http.get(address, CLUSTER + "info");
      JsonNode info = answer.json().path("clusterInfo");
      if (info.isObject()) {
        return info;
      }
      throw answer.noResourceManager("it has no " + CLUSTER + "info");
    } catch (Problem e) {
      silent.put(address, e);
      throw e;
    }
  }

  private static String state(JsonNode info) {
    return info.path("haState").asText(ACTIVE);
  }
}
