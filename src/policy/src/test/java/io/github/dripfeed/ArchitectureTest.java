// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the dependencies that the description of the package {@code io.github.dripfeed} draws. */
class ArchitectureTest {

  private static final String ROOT = "io.github.dripfeed";
  /** A module, and those that it uses, in the table of modules. */
  private static final Pattern ROW = Pattern.compile(
      "^\\| `src/([a-z-]+)` \\|.*\\| ([^|]*) \\|$", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([a-z-]+)`");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(dripfeed-[a-z-]+)<");
  private static final Pattern USED = Pattern.compile(
      "<groupId>io.github.dripfeed</groupId><artifactId>(dripfeed-[a-z-]+)<");
  private static final JavaClasses CLASSES = new ClassFileImporter().importUrl(
      StateAwareOrderingPolicy.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void packagesUseOnlyLowerPackages() {
    layeredArchitecture().consideringOnlyDependenciesInAnyPackage(ROOT + "..")
        .layer("policies").definedBy(ROOT)
        .layer("reclaim").definedBy(ROOT + ".reclaim")
        .layer("ordering").definedBy(ROOT + ".ordering")
        .layer("plan").definedBy(ROOT + ".plan")
        .layer("takeback").definedBy(ROOT + ".takeback")
        .layer("snapshot").definedBy(ROOT + ".snapshot")
        .layer("view").definedBy(ROOT + ".view")
        .layer("runtime").definedBy(ROOT + ".runtime")
        .layer("observe").definedBy(ROOT + ".observe")
        .layer("yarn").definedBy(ROOT + ".yarn")
        .layer("config").definedBy(ROOT + ".config")
        .whereLayer("policies").mayNotBeAccessedByAnyLayer()
        .whereLayer("reclaim").mayOnlyBeAccessedByLayers("policies")
        .whereLayer("ordering").mayOnlyBeAccessedByLayers("policies", "reclaim")
        .whereLayer("plan").mayOnlyBeAccessedByLayers("ordering")
        .whereLayer("takeback").mayOnlyBeAccessedByLayers("ordering")
        .whereLayer("snapshot").mayOnlyBeAccessedByLayers("ordering", "plan", "reclaim", "takeback")
        .whereLayer("view").mayOnlyBeAccessedByLayers("policies", "ordering")
        .whereLayer("runtime").mayOnlyBeAccessedByLayers("ordering", "reclaim", "takeback", "view")
        .whereLayer("observe")
        .mayOnlyBeAccessedByLayers(
            "policies", "ordering", "plan", "reclaim", "runtime", "snapshot", "takeback", "view")
        .whereLayer("yarn")
        .mayOnlyBeAccessedByLayers(
            "ordering", "reclaim", "plan", "snapshot", "takeback", "observe", "runtime", "view")
        .whereLayer("config")
        .mayOnlyBeAccessedByLayers(
            "policies", "ordering", "reclaim", "plan", "takeback", "observe", "view")
        .check(CLASSES);
  }

  /** SECURITY.md promises it. */
  @Test
  void whatRunsInAResourceManagerOpensNothingAndStartsNothing() {
    noClasses()
        .should().dependOnClassesThat().resideInAnyPackage("java.net..", "javax.net..", "com.sun.net..",
            "java.nio.file..", "java.nio.channels..", "java.rmi..", "javax.management.remote..",
            "org.apache.hadoop.fs..", "org.apache.hadoop.net..", "org.apache.hadoop.ipc..",
            "org.apache.hadoop.http..")
        .orShould().dependOnClassesThat().belongToAnyOf(File.class, FileInputStream.class,
            FileOutputStream.class, FileReader.class, FileWriter.class, RandomAccessFile.class,
            ProcessBuilder.class, Process.class, Runtime.class).check(CLASSES);
  }

  /** The commands are a jar of their own. */
  @Test
  void nothingElseIsInTheJar() {
    assertThat(CLASSES.stream().map(JavaClass::getPackageName).map(name -> name.substring(ROOT.length()))
        .map(name -> name.split("\\.").length < 2 ? "" : name.split("\\.")[1]).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("", "config", "core", "plan", "observe", "ordering", "reclaim",
            "runtime", "snapshot", "takeback", "view", "wire", "yarn");
  }

  @Test
  void modulesUseWhatContributingSays() throws IOException {
    Map<String, Set<String>> drawn = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("CONTRIBUTING.md"))).results()
        .forEach(row -> drawn.put(row.group(1), names(NAME, row.group(2))));
    Map<String, Set<String>> built = new TreeMap<>();
    Map<String, String> modules = new TreeMap<>();
    for (Path pom : poms()) {
      String module = pom.getParent().getFileName().toString();
      String text = Files.readString(pom);
      Matcher artifact = ARTIFACT.matcher(text);
      assertThat(artifact.find()).as("%s", pom).isTrue();
      modules.put(artifact.group(1), module);
      built.put(module, names(USED, text));
    }
    built.replaceAll((module, artifacts) ->
        artifacts.stream().map(modules::get).collect(Collectors.toCollection(TreeSet::new)));
    assertThat(built).isEqualTo(drawn).containsEntry("policy", Set.of());
  }

  private static List<Path> poms() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("src"))) {
      return modules.map(module -> module.resolve("pom.xml")).filter(Files::exists).sorted().toList();
    }
  }

  private static Set<String> names(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void filesHaveNoCycles() {
    checkFiles(CLASSES);
  }

  /** A cycle of classes within a package is as hard to read as a cycle of packages. */
  static void checkFiles(JavaClasses classes) {
    slices().assignedFrom(new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return SliceIdentifier.of(fileOf(type));
      }

      @Override
      public String getDescription() {
        return "files";
      }
    }).should().beFreeOfCycles().check(classes);
  }

  private static String fileOf(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  @Test
  void coreUsesNeitherYarnNorThreadsNorTheClock() {
    noClasses().that().resideInAPackage(ROOT + ".core..")
        .should().dependOnClassesThat().resideInAnyPackage("org.apache..", "org.slf4j..")
        .orShould().dependOnClassesThat().areAssignableTo(Thread.class)
        .orShould().callMethod(System.class, "currentTimeMillis")
        .orShould().callMethod(System.class, "nanoTime").check(CLASSES);
  }

  /** The tools carry a copy of it. */
  @Test
  void wireUsesNothing() {
    classes().that().resideInAPackage(ROOT + ".wire")
        .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".wire").check(CLASSES);
  }

  @Test
  void rootPackageHoldsOnlyOperatorClasses() {
    classes().that().resideInAPackage(ROOT).and().areTopLevelClasses()
        .and().doNotHaveSimpleName("package-info")
        .should().bePublic().andShould().haveSimpleNameEndingWith("Policy").check(CLASSES);
  }
}
