// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;

/** The configuration of the Capacity Scheduler, read from its files as a ResourceManager reads it. */
final class SchedulerFiles {

  static final String PREFIX = "yarn.scheduler.capacity.";
  static final String POLICY = ".ordering-policy";
  static final String ROOT = "root";
  /** What YARN reads as a number with a fraction. */
  static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?[fFdD]?");
  static final String OUR_PROPERTIES = POLICY + "." + PolicyProperty.PREFIX;
  static final String LABELS = ".accessible-node-labels.";
  private static final String SPELLINGS = "(?i:state[-_. ]?aware)";
  /** A queue may be called state-aware, so beside the policy only the name of a property counts. */
  private static final Pattern MISSPELLED = Pattern.compile(
      "\\.((?i:ordering[-_. ]?polic(y|ies))[-_. ]+" + SPELLINGS
          + "|(ordering-policy\\.|" + SPELLINGS + "[-_. ])(" + Arrays.stream(PolicyProperty.values())
              .map(PolicyProperty::key).map(Pattern::quote).collect(Collectors.joining("|")) + ")$)");

  private static final Pattern TEMPLATE =
      Pattern.compile("\\.(leaf-queue-template|auto-queue-creation-v2\\.(leaf-)?template)$");
  private static final String LEAF_TEMPLATE = ".auto-queue-creation-v2.leaf-template";
  private static final String ANY_TEMPLATE = ".auto-queue-creation-v2.template";
  private static final int DEFAULT_CREATION_DEPTH = 2;

  /** Whether {@code yarn-site.xml} is one of the files. */
  final boolean knowsYarnSite;
  /** All properties of both files by their names, sorted, so that those of one queue are together. */
  final SortedMap<String, String> all = new TreeMap<>();
  /** Those of the Capacity Scheduler. */
  final SortedMap<String, String> properties = startingWith(PREFIX, all);
  /** The queues that are listed, in the order of the file, and the queues below each of them. */
  private final Map<String, List<String>> tree = new LinkedHashMap<>();

  /** Takes the contents of the files, without Hadoop's defaults. */
  SchedulerFiles(Configuration conf, boolean knowsYarnSite) {
    this.knowsYarnSite = knowsYarnSite;
    conf.forEach(set -> all.put(set.getKey(), conf.get(set.getKey())));
    addQueues(ROOT);
  }

  static SortedMap<String, String> startingWith(String prefix, SortedMap<String, String> sorted) {
    return sorted.subMap(prefix, prefix + Character.MAX_VALUE);
  }

  private void addQueues(String path) {
    String[] children = StringUtils.getTrimmedStrings(all.get(PREFIX + path + ".queues"));
    tree.put(path, Arrays.asList(children));
    tree.get(path).forEach(child -> addQueues(path + "." + child));
  }

  /**
   * The paths of all leaf queues, and of the templates that have or complete a policy of leaf queues, or
   * limit drivers without one.
   */
  Set<String> leafQueues() {
    Set<String> leaves = new LinkedHashSet<>();
    tree.keySet().stream().filter(this::isLeaf).forEach(leaves::add);
    pathsBefore(POLICY).stream().filter(path -> isTemplate(path) && value(path, POLICY) != null)
        .forEach(leaves::add);
    tree.keySet().stream().flatMap(this::templates)
        .filter(path -> value(path, POLICY) == null && get(path, QueueCheck.AM_LIMIT) != null)
        .forEach(leaves::add);
    return leaves;
  }

  private boolean isLeaf(String path) {
    return children(path).isEmpty() && !path.equals(ROOT) && !createsQueues(path);
  }

  /** What is between the prefix and this part of a property's name, whether such queues exist or not. */
  Set<String> pathsBefore(String part) {
    return properties.keySet().stream().filter(name -> name.indexOf(part) > PREFIX.length())
        .map(name -> name.substring(PREFIX.length(), name.indexOf(part)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The paths of all queues that have or create other queues. */
  List<String> parentQueues() {
    return tree.keySet().stream().filter(path -> !isLeaf(path)).collect(Collectors.toList());
  }

  private boolean createsQueues(String path) {
    return templates(path).findAny().isPresent();
  }

  /** Of the leaf queues that YARN creates below a queue. */
  private Stream<String> templates(String path) {
    return Stream.of(
        isTrue(PREFIX + path + ".auto-create-child-queue.enabled") ? path + ".leaf-queue-template" : "",
        isTrue(PREFIX + path + ".auto-queue-creation-v2.enabled") ? path + LEAF_TEMPLATE : "")
        .filter(template -> !template.isEmpty());
  }

  /** Whether a queue of this path is listed, or YARN may create it. */
  boolean mayExist(String path) {
    return tree.containsKey(path) || isTemplate(path)
        || upFrom(parentOf(path)).stream().anyMatch(this::createsQueues);
  }

  /** The names of the queues that are listed right below this one. */
  List<String> children(String path) {
    return tree.getOrDefault(path, Collections.emptyList());
  }

  /** Whether YARN creates queues from what is configured under this path. */
  static boolean isTemplate(String path) {
    return TEMPLATE.matcher(path).find();
  }

  /** Whether YARN also gives the settings of this template to parent queues that it creates. */
  boolean isOfParentsToo(String path) {
    return path.endsWith(ANY_TEMPLATE) && creationDepth(parentOf(path)) > 1;
  }

  private int creationDepth(String path) {
    return (int) number(get(path, "auto-queue-creation-v2.maximum-queue-depth"), DEFAULT_CREATION_DEPTH);
  }

  /**
   * The paths under which YARN looks for a property of this path, in that order. What leaf queues alone get
   * comes before what all created queues get, and the path of a queue before one with wildcards.
   */
  private List<String> levels(String path) {
    List<String> levels = new ArrayList<>();
    if (path.endsWith(LEAF_TEMPLATE)) {
      addLevels(parentOf(path), LEAF_TEMPLATE, levels);
    }
    if (path.endsWith(LEAF_TEMPLATE) || path.endsWith(ANY_TEMPLATE)) {
      addLevels(parentOf(path), ANY_TEMPLATE, levels);
    } else {
      levels.add(path);
    }
    return levels;
  }

  /** YARN replaces as many names by wildcards, from the last on, as it creates levels of queues. */
  private void addLevels(String queue, String template, List<String> levels) {
    String[] names = queue.split("\\.");
    int last = names.length - 1;
    for (int wildcards = 0; wildcards <= Math.min(last, creationDepth(queue)); wildcards++) {
      levels.add(String.join(".", names) + template);
      names[last - wildcards] = "*";
    }
  }

  /** The value of a queue, or of what is created from a template; null if there is none. */
  private String value(String path, String end) {
    return levels(path).stream().map(level -> all.get(PREFIX + level + end)).filter(Objects::nonNull)
        .findFirst().orElse(null);
  }

  /** The queue below which this queue is, or below which the queues of this template are created. */
  static String parentOf(String path) {
    Matcher template = TEMPLATE.matcher(path);
    return template.find() ? path.substring(0, template.start())
        : path.substring(0, Math.max(0, path.lastIndexOf('.')));
  }

  /** The path, and those of all queues above it. */
  static List<String> upFrom(String path) {
    List<String> paths = new ArrayList<>();
    for (String level = path; !level.isEmpty(); level = parentOf(level)) {
      paths.add(level);
    }
    return paths;
  }

  /** The value of the queue, or of the nearest queue above it that has one; null if there is none. */
  String nearest(String path, String name) {
    return upFrom(path).stream().map(level -> own(level, name)).filter(Objects::nonNull).findFirst()
        .orElse(null);
  }

  /** Tells of state-aware properties without the correct prefix, with the queue that they seem to mean. */
  void tellMisspelled(BiConsumer<String, String> advice) {
    properties.forEach((name, value) -> {
      Matcher found = MISSPELLED.matcher(name);
      if (!name.contains(OUR_PROPERTIES) && found.find(PREFIX.length())) {
        advice.accept(name.substring(PREFIX.length(), found.start()), name.substring(found.start() + 1)
            + " = '" + value + "' has no effect and is ignored silently: the names of all state-aware"
            + " properties begin with " + OUR_PROPERTIES.substring(1));
      }
    });
  }

  /** The configured value, including white space; YARN's default if there is none. */
  String orderingPolicy(String path) {
    return Objects.toString(value(path, POLICY), "fifo");
  }

  /** The properties of a queue, or of what is created from a template, below a name, without it. */
  Map<String, String> below(String path, String name) {
    Map<String, String> below = new TreeMap<>();
    for (String level : levels(path)) {
      String prefix = PREFIX + level + name;
      startingWith(prefix, properties).forEach((property, value) ->
          below.putIfAbsent(property.substring(prefix.length()), value));
    }
    return below;
  }

  /** The value for the queue, else the value for all queues, else null. */
  String get(String path, String name) {
    String own = own(path, name);
    return own == null ? get(PREFIX + name) : own;
  }

  /** The value of this queue alone, or of this template as YARN completes it; null if there is none. */
  String own(String path, String name) {
    String value = value(path, "." + name);
    return value == null ? null : value.trim();
  }

  String get(String name) {
    String value = all.get(name);
    return value == null ? null : value.trim();
  }

  boolean isTrue(String name) {
    return "true".equalsIgnoreCase(get(name));
  }

  boolean lists(String name, String value) {
    return StringUtils.getTrimmedStringCollection(all.get(name)).contains(value);
  }

  static double number(String value, double otherwise) {
    return value != null && NUMBER.matcher(value).matches() ? Double.parseDouble(value) : otherwise;
  }
}
