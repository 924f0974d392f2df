// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Hadoop's {@code CapacitySchedulerConfiguration} with another default for the ordering policy of leaf
 * queues. The compiler has inlined the constant into the one method that uses it, so this class changes
 * that method: the second argument of {@code get(name, default)} in {@code getAppOrderingPolicy}.
 */
final class ChangedDefault extends ClassVisitor {

  private static final String CLASS = "org/apache/hadoop/yarn/server/resourcemanager/scheduler/capacity/"
      + "CapacitySchedulerConfiguration.class";
  private static final String METHOD = "getAppOrderingPolicy";
  private static final String STOCK = "fifo";

  private final String policy;
  private int changes;

  private ChangedDefault(ClassVisitor next, String policy) {
    super(Opcodes.ASM9, next);
    this.policy = policy;
  }

  /**
   * Writes the changed class to a folder that comes first on a class path.
   *
   * @param policy a name or a class, as for the property {@code ordering-policy}
   * @throws IllegalStateException if the class is not as expected
   */
  static void write(Path folder, String policy) throws IOException {
    try (InputStream original = ChangedDefault.class.getClassLoader().getResourceAsStream(CLASS)) {
      if (original == null) {
        throw new IllegalStateException("Not on the class path: " + CLASS);
      }
      ClassWriter writer = new ClassWriter(0);
      ChangedDefault change = new ChangedDefault(writer, policy);
      new ClassReader(original).accept(change, 0);
      if (change.changes != 1) {
        throw new IllegalStateException(METHOD + " has " + change.changes + " defaults instead of one");
      }
      Path file = folder.resolve(CLASS);
      Files.createDirectories(file.getParent());
      Files.write(file, writer.toByteArray());
    }
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
    return name.equals(METHOD) ? new Lookup(method) : method;
  }

  /** Replaces the constant that is the last argument of {@code get}. */
  private final class Lookup extends MethodVisitor {

    private Lookup(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    private boolean pending;

    @Override
    public void visitLdcInsn(Object value) {
      pending = value.equals(STOCK);
      if (!pending) {
        super.visitLdcInsn(value);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (pending) {
        boolean isDefault = name.equals("get");
        changes += isDefault ? 1 : 0;
        super.visitLdcInsn(isDefault ? policy : STOCK);
        pending = false;
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }
}
