// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Everything that the packaged jar refers to exists in each supported Hadoop version. */
class LinkageIT {

  private static final Path JAR = Path.of(System.getProperty("policy.jar"));

  @TempDir
  private Path folder;

  static List<Path> hadoops() throws IOException {
    return list(Path.of(System.getProperty("linkage.folder")));
  }

  @Test
  void fourHadoopVersionsAreChecked() throws Exception {
    assertThat(hadoops()).extracting(hadoop -> hadoop.getFileName().toString())
        .containsExactly("3.2.4", "3.3.6", "3.4.3", "3.5.0");
  }

  @ParameterizedTest
  @MethodSource("hadoops")
  void everyMemberExistsInEveryVersion(Path hadoop) throws Exception {
    try (ClassFiles own = ClassFiles.of(List.of(JAR)); ClassFiles jars = ClassFiles.of(list(hadoop))) {
      Linkage linkage = new Linkage(own, jars);
      assertThat(linkage.problems()).isEmpty();
      assertThat(linkage.checked()).as("references to Hadoop").isGreaterThan(200);
    }
  }

  /** The example of docs/design.md#signatures-differ-between-versions. */
  @ParameterizedTest
  @MethodSource("hadoops")
  void memberOfSomeVersionsIsReported(Path hadoop) throws Exception {
    boolean inOldOnes = hadoop.endsWith("3.2.4") || hadoop.endsWith("3.3.6");
    try (ClassFiles jars = ClassFiles.of(list(hadoop))) {
      assertThat(problems(jars, "LeafQueue").isEmpty()).isEqualTo(inOldOnes);
      assertThat(problems(jars, "AbstractLeafQueue").isEmpty()).isNotEqualTo(inOldOnes);
    }
  }

  @Test
  void everyClassTargetsJava8() throws Exception {
    try (ClassFiles own = ClassFiles.of(List.of(JAR))) {
      assertThat(own.names()).isNotEmpty();
      for (String name : own.names()) {
        assertThat(own.majorVersion(name)).as(name).isEqualTo(52);
      }
    }
  }

  /** A class that calls a getter of an application and expects the queue to be of the named class. */
  private List<String> problems(ClassFiles hadoop, String queue) throws IOException {
    String scheduler = "org/apache/hadoop/yarn/server/resourcemanager/scheduler/";
    String app = scheduler + "common/fica/FiCaSchedulerApp";
    String type = "L" + scheduler + "capacity/" + queue + ";";
    ClassWriter caller = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    caller.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "Caller", null, "java/lang/Object", null);
    MethodVisitor method = caller.visitMethod(
        Opcodes.ACC_STATIC, "queueOf", "(L" + app + ";)Ljava/lang/Object;", null, null);
    method.visitVarInsn(Opcodes.ALOAD, 0);
    method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, app, "getCSLeafQueue", "()" + type, false);
    method.visitInsn(Opcodes.ARETURN);
    method.visitMaxs(0, 0);
    Path jar = folder.resolve(queue + ".jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("Caller.class"));
      out.write(caller.toByteArray());
    }
    try (ClassFiles own = ClassFiles.of(List.of(jar))) {
      return List.copyOf(new Linkage(own, hadoop).problems());
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
