// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.objectweb.asm.Opcodes.ACC_ABSTRACT;
import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_PROTECTED;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Resolves every reference of some classes, as a virtual machine does when it links them. It skips the Java
 * library, for which the compiler checks the release.
 */
final class Linkage {

  private static final String HADOOP = "org/apache/hadoop/";

  private final ClassFiles own;
  private final ClassFiles hadoop;
  private final Map<String, ClassFiles.Shape> libraries = new HashMap<>();
  private final Set<String> problems = new TreeSet<>();
  private final Set<String> checked = new HashSet<>();

  /** Third-party libraries of Hadoop, such as the logging API, come from the class path. */
  Linkage(ClassFiles own, ClassFiles hadoop) throws IOException {
    this.own = own;
    this.hadoop = hadoop;
    for (String name : own.names()) {
      own.reader(name).accept(new References(name), ClassReader.SKIP_FRAMES);
      checkImplements(own.shape(name));
    }
  }

  Set<String> problems() {
    return problems;
  }

  /** The number of distinct references to Hadoop. */
  int checked() {
    return checked.size();
  }

  private ClassFiles.Shape find(String name) {
    try {
      ClassFiles.Shape shape = own.shape(name);
      if (shape == null) {
        shape = hadoop.shape(name);
      }
      return shape != null || name.startsWith(HADOOP) ? shape : library(name);
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private ClassFiles.Shape library(String name) throws IOException {
    if (!libraries.containsKey(name)) {
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        libraries.put(name, in == null ? null : ClassFiles.shapeOf(new ClassReader(in)));
      }
    }
    return libraries.get(name);
  }

  private void checkType(String where, Type type) {
    Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
    if (element.getSort() == Type.METHOD) {
      checkType(where, element.getReturnType());
      for (Type argument : element.getArgumentTypes()) {
        checkType(where, argument);
      }
    } else if (element.getSort() == Type.OBJECT) {
      count(element.getInternalName());
      if (find(element.getInternalName()) == null) {
        problems.add(where + ": no class " + element.getInternalName());
      }
    }
  }

  private void checkMember(
      String where, String owner, String member, boolean isStatic, Boolean ofInterface) {
    if (owner.startsWith("[") || owner.startsWith("java/")) {
      return;
    }
    count(owner + "." + member);
    ClassFiles.Shape shape = find(owner);
    Integer access = access(shape, member);
    if (access == null) {
      problems.add(where + ": no " + owner + "." + member);
    } else if ((access & (ACC_PUBLIC | ACC_PROTECTED)) == 0 && own.names().stream()
        .noneMatch(owner::equals)) {
      problems.add(where + ": not visible " + owner + "." + member);
    } else if (((access & ACC_STATIC) != 0) != isStatic) {
      problems.add(where + ": static or not " + owner + "." + member);
    } else if (ofInterface != null && shape.is(ACC_INTERFACE) != ofInterface) {
      problems.add(where + ": interface or not " + owner);
    }
  }

  private void count(String reference) {
    if (reference.startsWith(HADOOP)) {
      checked.add(reference);
    }
  }

  /** The access flags of a declared or inherited member; null if there is none. */
  private Integer access(ClassFiles.Shape shape, String member) {
    if (shape == null) {
      return null;
    }
    Integer access = shape.members().get(member);
    if (access == null && shape.parent() != null) {
      access = access(find(shape.parent()), member);
    }
    for (String parent : shape.interfaces()) {
      if (access == null) {
        access = access(find(parent), member);
      }
    }
    return access;
  }

  /** The class implements every abstract method of its parents. */
  private void checkImplements(ClassFiles.Shape shape) {
    if (!shape.is(ACC_ABSTRACT)) {
      checkImplements(shape, shape.name());
    }
  }

  private void checkImplements(ClassFiles.Shape concrete, String parent) {
    ClassFiles.Shape shape = find(parent);
    if (shape == null || parent.startsWith("java/")) {
      return;
    }
    shape.members().forEach((member, access) -> {
      if ((access & ACC_ABSTRACT) != 0 && (access(concrete, member) & ACC_ABSTRACT) != 0) {
        problems.add(concrete.name() + " does not implement " + parent + "." + member);
      }
    });
    if (shape.parent() != null) {
      checkImplements(concrete, shape.parent());
    }
    shape.interfaces().forEach(each -> checkImplements(concrete, each));
  }

  /** Collects the references of a class. */
  private final class References extends ClassVisitor {

    private final String where;

    References(String where) {
      super(Opcodes.ASM9);
      this.where = where;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent,
        String[] interfaces) {
      checkType(where, Type.getObjectType(parent));
      for (String each : interfaces) {
        checkType(where, Type.getObjectType(each));
      }
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String type, String signature, Object value) {
      checkType(where, Type.getType(type));
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String type, String signature, String[] exceptions) {
      checkType(where, Type.getMethodType(type));
      return new Body(where + "." + name);
    }
  }

  private final class Body extends MethodVisitor {

    private final String where;

    Body(String where) {
      super(Opcodes.ASM9);
      this.where = where;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      checkType(where, Type.getObjectType(type));
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      checkMember(where, owner, name + type,
          opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC, null);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean ofInterface) {
      checkMember(where, owner, name + type, opcode == Opcodes.INVOKESTATIC, ofInterface);
      checkType(where, Type.getMethodType(type));
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String type, Handle bootstrap, Object... arguments) {
      checkType(where, Type.getMethodType(type));
      for (Object argument : arguments) {
        if (argument instanceof Handle handle) {
          checkMember(where, handle.getOwner(), handle.getName() + handle.getDesc(),
              handle.getTag() == Opcodes.H_INVOKESTATIC, handle.isInterface());
        }
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      if (value instanceof Type type) {
        checkType(where, type);
      }
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      if (type != null) {
        checkType(where, Type.getObjectType(type));
      }
    }
  }
}
