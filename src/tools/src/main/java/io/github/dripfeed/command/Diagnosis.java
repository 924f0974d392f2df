// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.dripfeed.command.remote.Cluster;
import io.github.dripfeed.command.remote.Reading;
import io.github.dripfeed.command.remote.Rooms;
import io.github.dripfeed.command.remote.Row;
import io.github.dripfeed.tool.JsonText;
import io.github.dripfeed.tool.Text;
import io.github.dripfeed.tool.Times;
import io.github.dripfeed.wire.Wire.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What the numbers of a leaf queue say of its drivers. They are those of the partition where the queue's
 * drivers are. Nothing is read from sentences.
 */
final class Diagnosis {

  /** From nothing to the worst. */
  enum Code {
    FINE(0, "nothing is wrong"),
    AM_LIMIT_HIGH(1, "may come to a standstill"),
    AM_LIMIT_LOW(1, "starts fewer applications than there is room for"),
    AMS_WAIT(1, "AMs hold room without working"),
    STANDS_STILL(6, "stands still");

    final int exitCode;
    final String words;

    Code(int exitCode, String words) {
      this.exitCode = exitCode;
      this.words = words;
    }
  }

  private static final String AM_LIMIT = "maximum-am-resource-percent";
  private static final String AUTO = "ordering-policy = io.github.dripfeed.StateAwareOrderingPolicy with"
      + " state-aware.max-starting = auto";

  final String queue;
  final Code code;
  private final Cluster cluster;
  private final JsonNode leaf;
  private final JsonNode usage;
  private final List<Row> waiting;
  /** With a driver and nothing else. */
  private final List<Row> alone;
  /** Those of them that request containers. */
  private final List<Row> asking;
  private final int working;
  private final int notShown;
  private final long atLeastSeconds;
  private final long usedMb;
  private final long aloneMb;
  private final boolean isStock;
  private final boolean isAmLimitHigh;
  private final Row room;
  /** The smallest requests of those that wait, and of drivers; null without one. */
  private final JsonNode driver;
  private final JsonNode executor;
  /** The queue, this one or one above it, that leaves no room for it. */
  private final String full;
  private long atAmLimit;
  private long atUserAmLimit;
  private long atUserLimit;

  /** @param aloneSeconds for how long at least an application has had nothing but its driver */
  Diagnosis(String queue, Cluster cluster, ToLongFunction<Row> aloneSeconds) {
    this.queue = queue;
    this.cluster = cluster;
    leaf = cluster.leaves.get(queue);
    List<Row> managed = Reading.where(
        cluster.applications(queue), row -> !Cluster.isUnmanaged(row));
    List<Row> all = Reading.where(managed, Cluster::isShown);
    notShown = managed.size() - all.size();
    String partition = all.stream().map(row -> row.text("amNodeLabelExpression"))
        .filter(label -> !label.isEmpty()).findFirst().orElse("");
    usage = Rooms.ofPartition(leaf.at(Rooms.USAGES), partition);
    waiting = Reading.where(all, row -> row.number("runningContainers") <= 0);
    alone = cluster.withDriverAlone(queue);
    working = all.size() - waiting.size() - alone.size();
    asking = Reading.where(alone, row -> requests(row).findAny().isPresent());
    atLeastSeconds = asking.stream().mapToLong(aloneSeconds).max().orElse(0);
    usedMb = mb(usage, "used");
    aloneMb = allocatedMb(alone);
    room = cluster.rooms.of(queue, partition);
    driver = smallest(waiting);
    executor = smallest(asking);
    full = executor == null ? queue : cluster.full(queue, executor);
    countWaits();
    isStock = !Rooms.isStateAware(leaf);
    isAmLimitHigh = isStock && Rooms.isAmLimitHigh(leaf);
    code = code();
  }

  private static long allocatedMb(List<Row> applications) {
    return applications.stream().mapToLong(row -> row.number("allocatedMB")).sum();
  }

  /** The smallest of what these request; null if that is nothing. */
  private static JsonNode smallest(List<Row> applications) {
    return applications.stream().flatMap(Diagnosis::requests)
        .min(Comparator.comparingLong(Diagnosis::mb)).orElse(null);
  }

  private static Stream<JsonNode> requests(Row application) {
    return Cluster.stream(application.json.path("resourceRequests"))
        .filter(each -> each.path("numContainers").asLong() > 0);
  }

  private static long mb(JsonNode request) {
    return mb(request, "capability");
  }

  private static long mb(JsonNode usage, String name) {
    return usage.path(name).path("memory").asLong();
  }

  /** For each user as YARN counts them: those not activated are in its own list, the others are not. */
  private void countWaits() {
    long pending = leaf.path("numPendingApplications").asLong();
    long beyondUser = 0;
    for (JsonNode user : leaf.at("/users/user")) {
      String name = user.path("username").asText();
      List<Row> own = Reading.where(waiting, row -> row.is(Column.USER, name));
      JsonNode first = smallest(own);
      long inList = user.path("numPendingApplications").asLong();
      if (isBeyond(first, user.path("AMResourceUsed"), usage.path("userAmLimit"))) {
        beyondUser += inList;
      }
      if (isBeyond(first, user.path("resourcesUsed"), user.path("userResourceLimit"))) {
        atUserLimit += Math.max(0, own.size() - inList);
      }
    }
    boolean isQueues = isBeyond(driver, usage.path("amUsed"), usage.path("amLimit"));
    atUserAmLimit = isQueues ? 0 : Math.min(pending, beyondUser);
    atAmLimit = pending - atUserAmLimit;
  }

  private boolean isBeyond(JsonNode request, JsonNode used, JsonNode limit) {
    return request != null && cluster.exceeds(request.path("capability"),
        limit.path("memory").asDouble() - used.path("memory").asDouble(),
        limit.path("vCores").asDouble() - used.path("vCores").asDouble());
  }

  private Code code() {
    boolean noneFits = asking.stream().flatMap(Diagnosis::requests).noneMatch(this::fits);
    // What is full moves again once an executor below it ends, also one of another queue.
    return executor != null && noneFits && !cluster.hasExecutors(full) ? Code.STANDS_STILL
        : asking.size() > 1 && noneFits ? Code.AMS_WAIT
        : atAmLimit > 0 && fits(driver) ? Code.AM_LIMIT_LOW
        : isAmLimitHigh ? Code.AM_LIMIT_HIGH : Code.FINE;
  }

  private boolean fits(JsonNode request) {
    return request != null && cluster.hasRoom(queue, request) && cluster.hasNode(request);
  }

  /** The numbers, for programs. */
  Map<String, Object> document() {
    return JsonText.document("queue", queue, "code", code.name(),
        "orderingPolicy", leaf.path("orderingPolicyInfo").asText(),
        "withExecutors", working, "withAmOnly", alone.size(), "requestExecutors", asking.size(),
        "atLeastSeconds", atLeastSeconds, "amOnlyMb", aloneMb, "usedMb", usedMb,
        "leftMb", room == null ? -1 : room.number(Column.MEMORY_MB),
        "smallestRequestMb", executor == null ? -1 : mb(executor),
        "waiting", waiting.size(), "atAmLimit", atAmLimit, "atUserAmLimit", atUserAmLimit,
        "atUserLimit", atUserLimit, "forRoom", forRoom(), "amUsedMb", mb(usage, "amUsed"),
        "amLimitMb", mb(usage, "amLimit"), "notShown", notShown, "sentences", sentences());
  }

  private long forRoom() {
    return Math.max(0, waiting.size() - atAmLimit - atUserAmLimit - atUserLimit);
  }

  /** The same for people, with what would help. */
  List<String> sentences() {
    List<String> lines = new ArrayList<>();
    if (!alone.isEmpty()) {
      String longest = atLeastSeconds <= 0 ? ""
          : ", the longest for at least " + Times.duration(atLeastSeconds);
      lines.add(alone.size() + " of " + Text.count(alone.size() + working, "application")
          + " with an AM have nothing else: they hold " + aloneMb + " of the " + usedMb
          + " MB that the queue uses (" + 100 * aloneMb / Math.max(1, usedMb) + "%). "
          + (asking.isEmpty() ? "None of them requests executors."
              : asking.size() + " request executors" + longest + "."));
    }
    if (!waiting.isEmpty()) {
      lines.add(Text.count(waiting.size(), "application") + " without an AM: "
          + (number(atAmLimit, "the AM limit (" + mb(usage, "amUsed") + " of "
          + mb(usage, "amLimit") + " MB are taken)")
          + number(atUserAmLimit, "the AM limit of a user (" + mb(usage, "userAmLimit") + " MB)")
          + number(atUserLimit, "the limit of its user")
          + number(forRoom(), isStock ? "room" : "Dripfeed (see status)")).substring(2) + ".");
    }
    lines.addAll(help());
    if (notShown > 0) {
      lines.add(notShown + " more are not counted: you may not view them.");
    }
    return lines;
  }

  private static String number(long number, String what) {
    return number <= 0 ? "" : ", " + number + " for " + what;
  }

  private List<String> help() {
    List<String> help = new ArrayList<>();
    String left = room == null ? ""
        : "Left in the queue: " + Math.max(0, room.number(Column.MEMORY_MB)) + " MB, "
            + Text.count(Math.max(0, room.number(Column.VCORES)), "vcore") + ". ";
    boolean isBlocked = code.compareTo(Code.AMS_WAIT) >= 0;
    if (isBlocked) {
      help.add(left + "The smallest request, " + mb(executor) + " MB, has no room"
          + (code == Code.STANDS_STILL
              ? ", and no application in " + full + " has an executor that could end." : "."));
      help.add(isStock ? "What helps: " + cure() : "The status command says what Dripfeed does about it.");
    } else if (code == Code.AM_LIMIT_LOW) {
      help.add(left + "An AM of " + mb(driver) + " MB has room, and YARN's limit lets none start. What"
          + " helps: " + (isStock ? AUTO + ", and " : "") + AM_LIMIT + " = 1.0 in the same refresh."
          + (isStock ? " With a stock policy a higher limit is a risk: " + filled() + "." : ""));
    }
    if (isAmLimitHigh) {
      help.add("The AM limit (" + AM_LIMIT + ") is " + Rooms.amLimit(leaf) + ": " + filled()
          + ", and leave no executor room."
          + (isBlocked ? "" : " What helps: 0.1, YARN's default, or " + AUTO + "."));
    }
    return help;
  }

  /** Drivers of all queues below what is full hold its room. */
  private String cure() {
    List<Row> holders = cluster.withDriverAlone(full);
    long oneMb = aloneMb / alone.size();
    return holders.size() == 1 ? "a larger maximum-capacity of it or of those above it, or a smaller"
        + " request: the queue is too small for this AM and an executor."
        : AUTO + (holders.size() == alone.size() ? " in this queue" : " in these queues: "
            + Text.some(cluster.queuesWithDriverAlone(full), DiagnoseCommand.MOST_NAMED)
            + " (" + holders.size() + " AMs hold " + allocatedMb(holders) + " MB)")
            + "; within a minute take-back preempts the youngest AMs, and the oldest"
            + " application gets executors. Or end one application: its " + oneMb + " MB are room for "
            + Text.count(oneMb / Math.max(1, mb(executor)), "executor") + ".";
  }

  private String filled() {
    long mostMb = mb(Rooms.ofPartition(leaf.at(Rooms.CAPACITIES), usage.path("partitionName").asText()),
        "effectiveMaxResource");
    long oneMb = driver != null ? mb(driver) : alone.isEmpty() ? 0 : aloneMb / alone.size();
    return oneMb <= 0 ? "AMs alone may fill it"
        : Math.max(1, mostMb / oneMb) + " AMs of " + oneMb + " MB fill its " + mostMb + " MB";
  }
}
