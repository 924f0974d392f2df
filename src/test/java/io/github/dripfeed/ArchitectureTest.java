// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

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
import java.io.RandomAccessFile;
import org.junit.jupiter.api.Test;

/** Checks the dependencies that the description of the package {@code io.github.dripfeed} draws. */
class ArchitectureTest {

  private static final String ROOT = "io.github.dripfeed";
  private static final JavaClasses CLASSES = new ClassFileImporter().importUrl(
      StateAwareOrderingPolicy.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void packagesUseOnlyLowerPackages() {
    layeredArchitecture().consideringOnlyDependenciesInAnyPackage(ROOT + "..")
        .layer("policies").definedBy(ROOT)
        .layer("reclaim").definedBy(ROOT + ".reclaim")
        .layer("ordering").definedBy(ROOT + ".ordering")
        .layer("headroom").definedBy(ROOT + ".headroom")
        .layer("takeback").definedBy(ROOT + ".takeback")
        .layer("view").definedBy(ROOT + ".view")
        .layer("runtime").definedBy(ROOT + ".runtime")
        .layer("observe").definedBy(ROOT + ".observe")
        .layer("yarn").definedBy(ROOT + ".yarn")
        .layer("config").definedBy(ROOT + ".config")
        .layer("check").definedBy(ROOT + ".check")
        .layer("command").definedBy(ROOT + ".command..")
        .layer("terminal").definedBy(ROOT + ".terminal")
        .whereLayer("policies").mayNotBeAccessedByAnyLayer()
        .whereLayer("command").mayNotBeAccessedByAnyLayer()
        .whereLayer("check").mayOnlyBeAccessedByLayers("command")
        .whereLayer("terminal").mayOnlyBeAccessedByLayers("command", "check")
        .whereLayer("reclaim").mayOnlyBeAccessedByLayers("policies")
        .whereLayer("ordering").mayOnlyBeAccessedByLayers("policies", "reclaim")
        .whereLayer("headroom").mayOnlyBeAccessedByLayers("ordering")
        .whereLayer("takeback").mayOnlyBeAccessedByLayers("ordering")
        .whereLayer("view").mayOnlyBeAccessedByLayers("policies", "ordering")
        .whereLayer("runtime").mayOnlyBeAccessedByLayers("ordering", "reclaim", "takeback", "view")
        .whereLayer("observe")
        .mayOnlyBeAccessedByLayers("ordering", "reclaim", "runtime", "takeback", "view")
        .whereLayer("yarn")
        .mayOnlyBeAccessedByLayers("ordering", "reclaim", "headroom", "takeback", "observe", "view")
        .whereLayer("config").mayOnlyBeAccessedByLayers("policies", "ordering", "reclaim", "check")
        .check(CLASSES);
  }

  /** They run beside a ResourceManager, and read what it serves. */
  @Test
  void commandsUseNothingOfTheScheduler() {
    noClasses().that().resideInAPackage(ROOT + ".command..")
        .should().dependOnClassesThat().resideInAPackage("org.apache.hadoop.yarn.server..")
        .orShould().dependOnClassesThat(resideInAPackage(ROOT + "..")
            .and(resideOutsideOfPackages(
                ROOT + ".command..", ROOT + ".check", ROOT + ".terminal", ROOT + ".version",
                ROOT + ".core.forecast", ROOT + ".wire")))
        .check(CLASSES);
  }

  /** SECURITY.md promises it; {@code version} reads the manifest of its own jar. */
  @Test
  void whatRunsInAResourceManagerOpensNothingAndStartsNothing() {
    noClasses().that().resideOutsideOfPackages(
            ROOT + ".command..", ROOT + ".check", ROOT + ".terminal", ROOT + ".version")
        .should().dependOnClassesThat().resideInAnyPackage("java.net..", "javax.net..", "com.sun.net..",
            "java.nio.file..", "java.nio.channels..", "java.rmi..", "javax.management.remote..",
            "org.apache.hadoop.fs..", "org.apache.hadoop.net..", "org.apache.hadoop.ipc..",
            "org.apache.hadoop.http..")
        .orShould().dependOnClassesThat().belongToAnyOf(File.class, FileInputStream.class,
            FileOutputStream.class, FileReader.class, FileWriter.class, RandomAccessFile.class,
            ProcessBuilder.class, Process.class, Runtime.class).check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** A cycle of classes within a package is as hard to read as a cycle of packages. */
  @Test
  void filesHaveNoCycles() {
    slices().assignedFrom(new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return SliceIdentifier.of(fileOf(type));
      }

      @Override
      public String getDescription() {
        return "files";
      }
    }).should().beFreeOfCycles().check(CLASSES);
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
