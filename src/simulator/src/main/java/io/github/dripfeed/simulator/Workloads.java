// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The built-in workloads. Equal seeds generate equal workloads. */
final class Workloads {

  private static final int GB = 1024;
  private static final int SECOND = 1000;
  private static final int MINUTE = 60 * SECOND;
  private static final Job.Fate WELL = new Job.Fate.Well();

  /** The workloads that run if none is named. */
  static final List<String> NAMES = List.of(
      "burst", "short", "steady", "mixed", "autoscaled", "changing", "replay-apps", "replay-sls", "fb-2009",
      "fb-2009-last", "fb-2010", "wide-4", "wide-20", "wide-50", "idle", "tenants");

  /** What clusters have beside batches of Spark; they run if they are named. */
  static final List<String> BESIDE = List.of(
      "sessions", "launchers", "driver-only", "slow-start", "labels", "profiles", "one-attempt");

  /** Steady arrivals over many queues; runs if it is named. */
  static final String STEADY_TENANTS = "steady-200";

  /** The number of applications and nodes that the simulator is designed for. */
  static final String LARGE = "large";

  /** The size of the applications that arrive at once at an idle cluster, in MB. */
  static final int IDLE_DRIVER_MB = 2 * GB;
  /** The size of their drivers together with the first executor, in MB. */
  static final int IDLE_FIRST_STAGE_MB = 4 * GB;
  static final int IDLE_NODE_MB = 64 * GB;

  /** The largest container in {@code wide-*}, whose executors have 2 GB, in MB. */
  static final int WIDE_LARGEST_MB = 8 * GB;

  private final Random random;

  private Workloads(long seed) {
    this.random = new Random(seed);
  }

  /** @return null if there is none of this name */
  static Workload of(String name, long seed) {
    Workloads made = new Workloads(seed);
    return switch (name) {
      case "burst" -> made.burst();
      case "short" -> made.shortBurst();
      case "steady" -> made.steady();
      case "mixed" -> made.mixed();
      case "autoscaled" -> made.autoscaled();
      case "changing" -> made.changing();
      case "wide-4" -> made.wide(4);
      case "wide-20" -> made.wide(20);
      case "wide-50" -> made.wide(50);
      case "sessions" -> made.sessions();
      case "launchers" -> made.launchers();
      case "driver-only" -> made.driverOnly();
      case "slow-start" -> made.slowStart();
      case "labels" -> made.labels();
      case "profiles" -> made.profiles();
      case "one-attempt" -> made.oneAttempt();
      case LARGE -> made.large();
      default -> null;
    };
  }

  /** These queues with the largest container that the workload allows; a whole node, but for one kind. */
  static QueueSetup limited(QueueSetup queues, String name) {
    return name.startsWith("wide-") ? queues.withLargestContainer(WIDE_LARGEST_MB) : queues;
  }

  /** Sixty Spark applications within ten seconds, on a queue of 40 GB. */
  private Workload burst() {
    return burst("burst", "A burst of 60 Spark applications on a small queue", 2, 5);
  }

  /** The same, but start-up is a large part of the work. */
  private Workload shortBurst() {
    return burst("short", "A burst of 60 Spark applications that take a minute or less", 1, 1);
  }

  private Workload burst(String name, String title, int fewestStages, int mostStages) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(spark("spark-" + i, between(0, 10 * SECOND), 1 * GB,
          spark(GB, 1, 6, false, fewestStages, mostStages), between(10, 20) * SECOND));
    }
    return workload(name, title, jobs, 8 * GB, 5);
  }

  /** The users of {@link #tenants}; each has a queue. */
  static List<String> users(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(number -> "u" + number).toList();
  }

  /**
   * Three bursts of 60 Spark applications on 40 GB. By Zipf's law, the second user submits half as many as
   * the first one, the third a third, and so on.
   */
  static Workload tenants(int users, long seed) {
    return new Workloads(seed).tenants(users(users));
  }

  private Workload tenants(List<String> users) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 180; i++) {
      long at = i / 60 * 15L * MINUTE + between(0, 10 * SECOND);
      Program.Spark program = spark(2 * GB, 2, 1 + random.nextInt(4), false, 1, 3);
      jobs.add(new Job("spark-" + i, "SPARK", byZipf(users, random), at, 0, 2 * GB,
          between(10, 20) * SECOND, WELL, program));
    }
    return workload("tenants-" + users.size(),
        "Three bursts of 60 Spark applications over the queues of " + users.size() + " users", jobs,
        8 * GB, 5);
  }

  /** The applications of {@code steady}, each in the queue of its user, who are as in {@link #tenants}. */
  static Workload steadyTenants(int users, long seed) {
    Workloads made = new Workloads(seed);
    Workload one = made.steady();
    List<String> names = users(users);
    return new Workload(STEADY_TENANTS, one.title() + ", over the queues of " + users + " users",
        one.jobs().stream().map(job -> job.of(byZipf(names, made.random))).toList(), one.nodes(),
        one.sizes());
  }

  /** One of them, the first most often. */
  static String byZipf(List<String> users, Random random) {
    double total = IntStream.rangeClosed(1, users.size()).mapToDouble(rank -> 1.0 / rank).sum();
    double left = random.nextDouble() * total;
    int rank = 1;
    for (; rank < users.size() && left >= 1.0 / rank; rank++) {
      left -= 1.0 / rank;
    }
    return users.get(rank - 1);
  }

  /** Three hours of a shared queue's mixed load, at about four fifths of its capacity. */
  private Workload steady() {
    List<Job> jobs = new ArrayList<>();
    double at = 0;
    for (int i = 0; i < 150; i++) {
      at += -Math.log(1 - random.nextDouble()) * 60 * SECOND;
      jobs.add(any("app-" + i, (long) at));
    }
    return workload("steady", "150 applications of all kinds, one a minute", jobs, 16 * GB, 6);
  }

  /** Bursts of small and large drivers. Some hang or fail. */
  private Workload mixed() {
    List<Job> jobs = new ArrayList<>();
    int[] drivers = {512, GB, 2 * GB, 4 * GB, 8 * GB};
    for (int i = 0; i < 80; i++) {
      long at = i / 20 * 5L * MINUTE + between(0, 20 * SECOND);
      int driver = drivers[random.nextInt(drivers.length)];
      Job job = spark("spark-" + i, at, driver, spark(2 * GB, 2, 2 + random.nextInt(8),
          random.nextInt(3) == 0));
      if (i % 27 == 5) {
        job = job.with(new Job.Fate.Hangs(20L * MINUTE));
      } else if (i % 20 == 7) {
        job = job.with(new Job.Fate.Fails(1));
      }
      jobs.add(job);
    }
    return workload("mixed", "80 applications in four bursts, AMs of 0.5 to 8 GB, some hang or fail",
        jobs, 16 * GB, 6);
  }

  /** Bursts on a cluster that grows after them and shrinks again. */
  private Workload autoscaled() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      long at = i / 30 * 20L * MINUTE + between(0, 30 * SECOND);
      jobs.add(spark("spark-" + i, at, 2 * GB, spark(2 * GB, 2, 10, i % 2 == 0)));
    }
    List<Workload.Size> sizes = new ArrayList<>();
    for (int wave = 0; wave < 3; wave++) {
      long at = wave * 20L * MINUTE;
      sizes.add(new Workload.Size(at, 3));
      sizes.add(new Workload.Size(at + 3 * MINUTE, 10));
      sizes.add(new Workload.Size(at + 6 * MINUTE, 20));
      sizes.add(new Workload.Size(at + 14 * MINUTE, 10));
    }
    sizes.add(new Workload.Size(60L * MINUTE, 3));
    return new Workload("autoscaled", "Three bursts on a cluster that grows from 3 to 20 nodes and shrinks",
        sorted(jobs), 16 * GB, sizes);
  }

  /** Earlier applications mislead about the next ones, by a factor of up to 32. */
  private Workload changing() {
    List<Job> jobs = new ArrayList<>();
    List<Workload.Size> sizes = new ArrayList<>();
    int wave = 0;
    for (int most : new int[] {GB / 2, 16 * GB, 2 * GB, 8 * GB}) {
      long at = wave * 15L * MINUTE;
      sizes.add(new Workload.Size(at, 3 + random.nextInt(4)));
      sizes.add(new Workload.Size(at + between(2, 5) * MINUTE, 8 + random.nextInt(5)));
      sizes.add(new Workload.Size(at + between(7, 12) * MINUTE, 4 + random.nextInt(4)));
      for (int i = 0; i < 20; i++) {
        // Some want everything, long after their start.
        boolean greedy = i % 7 == 3;
        jobs.add(spark("spark-" + wave + "-" + i, at + between(0, 10 * SECOND),
            256 * (1 + random.nextInt(16)),
            spark(512 * (1 + random.nextInt(most / 512)), 2, greedy ? 60 : 1 + random.nextInt(6),
                greedy || i % 2 == 0),
            between(5, 60) * SECOND));
      }
      wave++;
    }
    return new Workload("changing",
        "Bursts of 20 whose executors have 0.5, 16, 2 and 8 GB at most; nodes come and go", sorted(jobs),
        24 * GB, sizes);
  }

  /**
   * A burst of applications that want many executors, while the first executor of each would find room for
   * all of them. A dozen short ones of the same size have run before.
   */
  private Workload wide(int executors) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      boolean before = i < 12;
      jobs.add(spark("spark-" + i, before ? 0 : 5L * MINUTE, 2 * GB,
          before ? spark(2 * GB, 2, executors, false, 1, 1) : spark(2 * GB, 2, executors, false),
          between(15, 30) * SECOND));
    }
    return workload("wide-" + executors,
        "A burst of 100 Spark applications with " + executors + " executors each", jobs, 64 * GB, 7);
  }

  /** The pool is opened first. Each session is used once, after a quarter of an hour or more. */
  private Workload sessions() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      jobs.add(new Job("session-" + i, "TEZ", "etl", between(0, 5 * SECOND), 0, GB, 5 * SECOND, WELL,
          new Program.Session(between(15, 30) * MINUTE, spark(2 * GB, 2, 4, true, 1, 1))));
    }
    addSpark(jobs, 60, MINUTE, 10 * SECOND);
    return workload("sessions", "A pool of 15 sessions that are idle at first, and a burst of 60", jobs,
        16 * GB, 6);
  }

  /** Applications of the usual kind, submitted within some time. */
  private void addSpark(List<Job> jobs, int count, long from, int within) {
    for (int i = 0; i < count; i++) {
      jobs.add(spark("spark-" + i, from + between(0, within), 2 * GB,
          spark(2 * GB, 2, 2 + random.nextInt(10), false)));
    }
  }

  private Workload launchers() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String name = "launcher-" + i;
      List<Job> steps = IntStream.range(0, 2).mapToObj(step ->
          spark(name + "-step-" + step, 0, 2 * GB, spark(2 * GB, 2, 4, false))).toList();
      jobs.add(new Job(name, "LAUNCHER", "etl", between(0, 10 * SECOND), 0, GB / 2, 5 * SECOND, WELL,
          new Program.Launcher(steps)));
    }
    return workload("launchers", "20 launchers at once, each waits for two Spark applications", jobs,
        16 * GB, 6);
  }

  private Workload driverOnly() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      jobs.add(new Job("alone-" + i, "MAPREDUCE", "etl", between(0, 20 * MINUTE), 0, 2 * GB,
          between(4, 8) * SECOND, WELL, new Program.DriverOnly(between(30, 180) * SECOND)));
    }
    addSpark(jobs, 60, 0, 20 * MINUTE);
    return workload("driver-only", "120 AMs that need no executor, and 60 Spark applications", jobs,
        16 * GB, 6);
  }

  private Workload slowStart() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int executors = 1 + random.nextInt(6);
      jobs.add(spark("spark-" + i, between(0, 10 * SECOND), GB, new Program.Spark(GB, 1, executors, false,
          List.of(new Program.Stage(executors, 30 * SECOND))), 60 * SECOND));
    }
    return workload("slow-start", "A burst of 60 that start up for 60 s and work for 30 s", jobs, 8 * GB,
        5);
  }

  /** As EMR has set up its clusters: drivers only on nodes that are never given back. */
  private Workload labels() {
    List<Job> jobs = new ArrayList<>();
    addSpark(jobs, 60, 0, 5 * MINUTE);
    jobs.replaceAll(job -> job.on(new Job.Labels("CORE", "")));
    return on(new Workload.Nodes(16 * GB, 0, new Workload.Label("CORE", true, 3)),
        workload("labels", "60 Spark applications, AMs only on 3 of 8 nodes, which executors share",
            jobs, 16 * GB, 8));
  }

  /** Two resource profiles, as stages of Spark may have them. */
  private Workload profiles() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      jobs.add(new Job("spark-" + i, "SPARK", "etl", between(0, 10 * SECOND), 0, 2 * GB,
          between(5, 15) * SECOND, WELL, new Program.Tasks(List.of(
              tasks(2 + random.nextInt(7), 4 * GB, 16, 20, 60),
              tasks(1 + random.nextInt(3), 48 * GB, 2, 20, 60)))));
    }
    return on(new Workload.Nodes(64 * GB, 32, Workload.Label.NONE),
        workload("profiles", "A burst of 40: executors of 4 GB and 16 cores, then of 48 GB and 2 cores",
            jobs, 64 * GB, 6));
  }

  private Workload oneAttempt() {
    Workload burst =
        burst("one-attempt", "A burst of 60 Spark applications that have one attempt each", 2, 5);
    return new Workload(burst.name(), burst.title(),
        burst.jobs().stream().map(job -> job.withAttempts(1)).toList(), burst.nodes(), burst.sizes());
  }

  private static Workload on(Workload.Nodes nodes, Workload workload) {
    return new Workload(workload.name(), workload.title(), workload.jobs(), nodes, workload.sizes());
  }

  private Job any(String name, long at) {
    int kind = random.nextInt(100);
    if (kind < 40) {
      return spark(name, at, 2 * GB, spark(2 * GB, 2, 2 + random.nextInt(10), false));
    }
    if (kind < 65) {
      return spark(name, at, 2 * GB, spark(2 * GB, 2, 20, true));
    }
    if (kind < 85) {
      return mapReduce(name, at);
    }
    if (kind < 92) {
      return new Job(name, "SPARK", "etl", at, 0, 2 * GB, between(5, 15) * SECOND, WELL,
          new Program.DriverOnly(between(30, 180) * SECOND));
    }
    if (kind < 96) {
      List<Job> steps = IntStream.range(0, 2).mapToObj(step ->
          spark(name + "-step-" + step, 0, 2 * GB, spark(2 * GB, 2, 4, false))).toList();
      return new Job(name, "LAUNCHER", "etl", at, 0, 1 * GB, 5 * SECOND, WELL,
          new Program.Launcher(steps));
    }
    Job job = spark(name, at, 2 * GB, spark(2 * GB, 2, 6, false));
    return job.with(kind == 96 ? new Job.Fate.Hangs(15L * MINUTE) : new Job.Fate.Fails(1));
  }

  private static Job spark(String name, long at, int driver, Program.Spark program, long startUp) {
    return new Job(name, "SPARK", "etl", at, 0, driver, startUp, WELL, program);
  }

  private Job spark(String name, long at, int driver, Program.Spark program) {
    return spark(name, at, driver, program, between(5, 15) * SECOND);
  }

  private Program.Spark spark(int memory, int cores, int executors, boolean dynamic) {
    return spark(memory, cores, executors, dynamic, 2, 5);
  }

  private Program.Spark spark(int memory, int cores, int executors, boolean dynamic,
      int fewestStages, int mostStages) {
    List<Program.Stage> stages = new ArrayList<>();
    long count = between(fewestStages, mostStages);
    for (int i = 0; i < count; i++) {
      stages.add(new Program.Stage(
          executors * cores * (1 + random.nextInt(3)), between(10, 60) * SECOND));
    }
    return new Program.Spark(memory, cores, executors, dynamic, stages);
  }

  private Job mapReduce(String name, long at) {
    List<Program.Task> maps = tasks(10 + random.nextInt(50), GB, 10, 60);
    List<Program.Task> reduces = tasks(1 + random.nextInt(8), 2 * GB, 20, 90);
    return new Job(name, "MAPREDUCE", "etl", at, 0, 1536, between(4, 8) * SECOND, WELL,
        new Program.Tasks(List.of(maps, reduces)));
  }

  private List<Program.Task> tasks(int count, int memory, int fromSeconds, int toSeconds) {
    return tasks(count, memory, 1, fromSeconds, toSeconds);
  }

  private List<Program.Task> tasks(int count, int memory, int vcores, int fromSeconds, int toSeconds) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Program.Task(memory, vcores, between(fromSeconds, toSeconds) * SECOND)).toList();
  }

  private long between(int from, int to) {
    return from + random.nextInt(to - from + 1);
  }

  private static Workload workload(String name, String title, List<Job> jobs, int nodeMemory,
      int nodes) {
    return new Workload(name, title, sorted(jobs), nodeMemory,
        Arrays.asList(new Workload.Size(0, nodes)));
  }

  private static List<Job> sorted(List<Job> jobs) {
    jobs.sort(Comparator.comparingLong(Job::submitMillis));
    return jobs;
  }

  /**
   * Static Spark applications that arrive at once at an idle cluster.
   *
   * @param startUpSeconds from a driver's allocation until it requests executors
   */
  static Workload idleCluster(int applications, int nodes, int startUpSeconds) {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < applications; i++) {
      jobs.add(spark("spark-" + i, 0, IDLE_DRIVER_MB, new Program.Spark(
          IDLE_FIRST_STAGE_MB - IDLE_DRIVER_MB, 2, 4, false,
          List.of(new Program.Stage(24, 20 * SECOND))), startUpSeconds * (long) SECOND));
    }
    return workload("idle-" + startUpSeconds, applications + " applications at once on an idle queue, "
        + startUpSeconds + " s to start up", jobs, IDLE_NODE_MB, nodes);
  }

  /** The same ten minutes later, after one of the applications has run alone. */
  static Workload afterAnother(Workload burst) {
    List<Job> jobs = new ArrayList<>(List.of(burst.jobs().get(0)));
    burst.jobs().forEach(job -> jobs.add(job.at(10L * MINUTE)));
    return new Workload(burst.name(), burst.title(), jobs, burst.nodeMemory(), burst.sizes());
  }

  /** Measures the speed of the simulator. */
  private Workload large() {
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      jobs.add(spark("spark-" + i, between(0, 150 * MINUTE), 2 * GB,
          spark(2 * GB, 2, 2 + random.nextInt(10), i % 3 == 0)));
    }
    return workload(LARGE, "1,000 applications on 100 nodes", jobs, 8 * GB, 100);
  }
}
