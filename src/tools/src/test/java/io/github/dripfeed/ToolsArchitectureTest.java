// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.dripfeed.command.Main;
import org.junit.jupiter.api.Test;

/** The commands, and what they use of the ResourceManager's jar. */
class ToolsArchitectureTest {

  private static final String ROOT = "io.github.dripfeed";
  private static final JavaClasses CLASSES = new ClassFileImporter().importUrl(
      Main.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void packagesUseOnlyLowerPackages() {
    layeredArchitecture().consideringOnlyDependenciesInAnyPackage(ROOT + "..")
        .layer("command").definedBy(ROOT + ".command..")
        .layer("check").definedBy(ROOT + ".check")
        .layer("tool").definedBy(ROOT + ".tool")
        .whereLayer("command").mayNotBeAccessedByAnyLayer()
        .whereLayer("check").mayOnlyBeAccessedByLayers("command")
        .whereLayer("tool").mayOnlyBeAccessedByLayers("command", "check")
        .check(CLASSES);
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void filesHaveNoCycles() {
    ArchitectureTest.checkFiles(CLASSES);
  }

  /** They run beside a ResourceManager, and read what it serves. */
  @Test
  void commandsUseNothingOfTheScheduler() {
    noClasses().that().resideInAPackage(ROOT + ".command..")
        .should().dependOnClassesThat().resideInAPackage("org.apache.hadoop.yarn.server..")
        .orShould().dependOnClassesThat(resideInAPackage(ROOT + "..").and(resideOutsideOfPackages(
            ROOT + ".command..", ROOT + ".check", ROOT + ".tool", ROOT + ".wire")))
        .check(CLASSES);
  }

  /** The commands have a copy of what they use: the fewer, the better. */
  @Test
  void checkUsesThePropertiesAlone() {
    noClasses().that().resideInAPackage(ROOT + ".check")
        .should().dependOnClassesThat(resideInAPackage(ROOT + "..").and(resideOutsideOfPackages(
            ROOT + ".check", ROOT + ".tool", ROOT + ".config")))
        .check(CLASSES);
  }
}
