// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import io.github.dripfeed.config.PolicyProperty;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils;

/** The configuration of the Capacity Scheduler, read from its files as a ResourceManager reads it. */
final class SchedulerFiles {

  static final String PREFIX = "yarn.scheduler.capacity.";
  static final String POLICY = ".ordering-policy";
  static final String ROOT = "root";
  /** What YARN reads as a number with a fraction. */
  static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?[fFdD]?");
  private static final String SPELLINGS = "state[-_. ]?aware";
  private static final Pattern BELOW_POLICY = Pattern.compile(
      "\\.ordering[-_. ]?polic(y|ies)[-_. ]+" + SPELLINGS, Pattern.CASE_INSENSITIVE);
  private static final Pattern BESIDE_POLICY = Pattern.compile(
      "\\." + SPELLINGS + "[-_. ]([-.a-z]+)$", Pattern.CASE_INSENSITIVE);

  private static final String TEMPLATE_END = "template";
  private static final Pattern TEMPLATE =
      Pattern.compile("\\.(leaf-queue-template|auto-queue-creation-v2\\.(leaf-)?template)$");
  private static final Pattern WITHIN_TEMPLATE =
      Pattern.compile("\\.(leaf-queue-template|auto-queue-creation-v2\\.(leaf-|parent-)?template)(\\.|$)");
  private static final String LABELS = ".accessible-node-labels.";
  private static final String LEAF_TEMPLATE = ".auto-queue-creation-v2.leaf-template";
  private static final String ANY_TEMPLATE = ".auto-queue-creation-v2.template";
  private static final String CREATION_DEPTH = "auto-queue-creation-v2.maximum-queue-depth";
  private static final int DEFAULT_CREATION_DEPTH = 2;

  private final boolean knowsYarnSite;
  /** All properties of both files, sorted, so that those of one queue are together. */
  private final TreeMap<String, String> all = new TreeMap<>();
  /** Those of the Capacity Scheduler. */
  private final SortedMap<String, String> properties;
  /** The queues that are listed, in the order of the file, and the queues below each of them. */
  private final Map<String, List<String>> tree = new LinkedHashMap<>();

  /**
   * @param conf the contents of both files, without Hadoop's defaults
   * @param knowsYarnSite whether {@code yarn-site.xml} is one of them
   */
  SchedulerFiles(Configuration conf, boolean knowsYarnSite) {
    this.knowsYarnSite = knowsYarnSite;
    conf.forEach(set -> all.put(set.getKey(), conf.get(set.getKey())));
    properties = Collections.unmodifiableSortedMap(startingWith(PREFIX, all));
    addQueues(ROOT);
  }

  private static SortedMap<String, String> startingWith(String prefix, SortedMap<String, String> sorted) {
    return sorted.subMap(prefix, prefix + Character.MAX_VALUE);
  }

  private void addQueues(String path) {
    String[] children = StringUtils.getTrimmedStrings(written(PREFIX + path + ".queues"));
    tree.put(path, Arrays.asList(children));
    tree.get(path).forEach(child -> addQueues(path + "." + child));
  }

  boolean knowsYarnSite() {
    return knowsYarnSite;
  }

  /** The paths of all leaf queues, and of the templates from which YARN creates others. */
  List<String> leafQueues() {
    List<String> leaves = tree.keySet().stream().filter(this::isLeaf).collect(Collectors.toList());
    leaves.addAll(templates());
    return leaves;
  }

  private boolean isLeaf(String path) {
    return children(path).isEmpty() && !path.equals(ROOT) && !createsQueues(path);
  }

  /** The paths of all templates that have or complete a policy of leaf queues. */
  private Set<String> templates() {
    Set<String> templates = new TreeSet<>();
    for (String name : properties.keySet()) {
      int end = name.indexOf(POLICY);
      String path = end < PREFIX.length() ? "" : name.substring(PREFIX.length(), end);
      boolean isOfPolicy = name.endsWith(POLICY) || name.startsWith(POLICY + ".", end);
      if (isTemplate(path) && isOfPolicy && value(path, POLICY) != null) {
        templates.add(path);
      }
    }
    return templates;
  }

  /** The paths of all queues that have or create other queues. */
  List<String> parentQueues() {
    return tree.keySet().stream().filter(path -> !isLeaf(path)).collect(Collectors.toList());
  }

  private boolean createsQueues(String path) {
    return isTrue(PREFIX + path + ".auto-create-child-queue.enabled")
        || isTrue(PREFIX + path + ".auto-queue-creation-v2.enabled");
  }

  /** Whether a queue of this path is listed, or YARN may create it. */
  boolean mayExist(String path) {
    boolean may = tree.containsKey(path) || isTemplate(path);
    for (String above = parentOf(path); !may && !above.isEmpty(); above = parentOf(above)) {
      may = createsQueues(above);
    }
    return may;
  }

  /** The names of the queues that are listed right below this one. */
  List<String> children(String path) {
    return tree.getOrDefault(path, Collections.emptyList());
  }

  /** Every property of the Capacity Scheduler, by its whole name. */
  SortedMap<String, String> properties() {
    return properties;
  }

  /** Whether YARN creates queues from what is configured under this path. */
  static boolean isTemplate(String path) {
    return path.endsWith(TEMPLATE_END) && TEMPLATE.matcher(path).find();
  }

  /** Whether what is configured under this path is of queues that YARN creates. */
  static boolean isWithinTemplate(String path) {
    return path.contains(TEMPLATE_END) && WITHIN_TEMPLATE.matcher(path).find();
  }

  /** Whether YARN also gives the settings of this template to parent queues that it creates. */
  boolean isOfParentsToo(String path) {
    return path.endsWith(ANY_TEMPLATE) && creationDepth(parentOf(path)) > 1;
  }

  private int creationDepth(String path) {
    String depth = get(path, CREATION_DEPTH);
    return depth != null && depth.matches("\\d{1,4}") ? Integer.parseInt(depth) : DEFAULT_CREATION_DEPTH;
  }

  /**
   * The paths under which YARN looks for a property of this path, in that order. What leaf queues alone get
   * comes before what all created queues get, and the path of a queue before one with wildcards.
   */
  private List<String> levels(String path) {
    if (!path.endsWith(TEMPLATE_END)) {
      return Collections.singletonList(path);
    }
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
    return levels(path).stream().map(level -> written(PREFIX + level + end)).filter(Objects::nonNull)
        .findFirst().orElse(null);
  }

  /** The queue below which this queue is, or below which the queues of this template are created. */
  static String parentOf(String path) {
    Matcher template = TEMPLATE.matcher(path);
    return template.find() ? path.substring(0, template.start())
        : path.substring(0, Math.max(0, path.lastIndexOf('.')));
  }

  /** The paths that have state-aware properties, whether such queues exist or not. */
  TreeSet<String> pathsWithOurProperties() {
    TreeSet<String> paths = new TreeSet<>();
    properties.keySet().forEach(name -> {
      int at = name.indexOf(POLICY + "." + PolicyProperty.PREFIX);
      if (at > PREFIX.length()) {
        paths.add(name.substring(PREFIX.length(), at));
      }
    });
    return paths;
  }

  /**
   * Misspelled state-aware properties, which no component reads because their names lack the correct
   * prefix, keyed by the queue path that they seem to mean.
   */
  Map<String, List<String>> almostOurs() {
    Map<String, List<String>> almost = new TreeMap<>();
    properties.forEach((name, value) -> {
      int at = name.contains(POLICY + "." + PolicyProperty.PREFIX) ? -1 : almostOurs(name);
      if (at >= PREFIX.length()) {
        almost.computeIfAbsent(name.substring(PREFIX.length(), at), path -> new ArrayList<>())
            .add(name.substring(at + 1) + " = '" + value + "'");
      }
    });
    return almost;
  }

  /** The end of the queue path in a misspelled name, or -1 if it is none. */
  private static int almostOurs(String name) {
    int policy = name.indexOf(POLICY + ".");
    if (policy > 0 && PolicyProperty.named(name.substring(policy + POLICY.length() + 1)) != null) {
      return policy;
    }
    Matcher below = BELOW_POLICY.matcher(name);
    if (below.find()) {
      return below.start();
    }
    // A queue may have such a name, so only the name of a state-aware property counts.
    Matcher beside = BESIDE_POLICY.matcher(name);
    return beside.find() && PolicyProperty.named(beside.group(1)) != null ? beside.start() : -1;
  }

  /** The configured value, including white space; YARN's default if there is none. */
  String orderingPolicy(String path) {
    String value = value(path, POLICY);
    return value == null ? "fifo" : value;
  }

  /** The properties below {@code ordering-policy.}. */
  Map<String, String> policyProperties(String path) {
    return below(path, POLICY + ".");
  }

  /** The properties of a queue, or of what is created from a template, below a name, without it. */
  private Map<String, String> below(String path, String name) {
    Map<String, String> below = new TreeMap<>();
    for (String level : levels(path)) {
      String prefix = PREFIX + level + name;
      startingWith(prefix, properties).forEach((property, value) ->
          below.putIfAbsent(property.substring(prefix.length()), value));
    }
    return below;
  }

  /** The values of a property that the queue has for single node labels, by its name below the queue. */
  Map<String, String> ofLabels(String path, String name) {
    Map<String, String> ofLabels = new TreeMap<>();
    below(path, LABELS).forEach((below, value) -> {
      if (below.endsWith("." + name)) {
        ofLabels.put(LABELS.substring(1) + below, value.trim());
      }
    });
    return ofLabels;
  }

  /** The value for the queue, else the value for all queues, else null. */
  String get(String path, String name) {
    String own = own(path, name);
    return own == null ? get(PREFIX + name) : own;
  }

  /** A copy of every property of both files, by its whole name. */
  SortedMap<String, String> allProperties() {
    return new TreeMap<>(all);
  }

  /** The value of this queue alone, or of this template as YARN completes it; null if there is none. */
  String own(String path, String name) {
    String value = value(path, "." + name);
    return value == null ? null : value.trim();
  }

  /** The value of the queue, or of the nearest queue above it that has one; null if none has. */
  String nearest(String path, String name) {
    String value = own(path, name);
    for (String above = parentOf(path); value == null && !above.isEmpty(); above = parentOf(above)) {
      value = own(above, name);
    }
    return value;
  }

  /** The value as it is written, including white space; null if there is none. */
  String written(String name) {
    return all.get(name);
  }

  String get(String name) {
    String value = written(name);
    return value == null ? null : value.trim();
  }

  String get(String name, int defaultValue) {
    String value = get(name);
    return value == null ? String.valueOf(defaultValue) : value;
  }

  boolean isTrue(String name) {
    return "true".equalsIgnoreCase(get(name));
  }

  boolean lists(String name, String value) {
    return StringUtils.getTrimmedStringCollection(written(name)).contains(value);
  }
}
