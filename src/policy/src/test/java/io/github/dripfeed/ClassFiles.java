// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The classes of some jars, by internal name. */
final class ClassFiles implements AutoCloseable {

  /**
   * The declarations of a class.
   *
   * @param members methods and fields, by name and descriptor, with their access flags
   */
  record Shape(String name, int access, String parent, List<String> interfaces,
      Map<String, Integer> members) {

    boolean is(int flag) {
      return (access & flag) != 0;
    }
  }

  private final List<ZipFile> jars = new ArrayList<>();
  private final Map<String, Shape> shapes = new HashMap<>();

  static ClassFiles of(List<Path> jars) throws IOException {
    ClassFiles files = new ClassFiles();
    for (Path jar : jars) {
      files.jars.add(new ZipFile(jar.toFile()));
    }
    return files;
  }

  List<String> names() {
    return jars.stream().flatMap(ZipFile::stream).map(ZipEntry::getName)
        .filter(name -> name.endsWith(".class")).map(name -> name.substring(0, name.length() - 6))
        .toList();
  }

  ClassReader reader(String name) throws IOException {
    for (ZipFile jar : jars) {
      ZipEntry entry = jar.getEntry(name + ".class");
      if (entry != null) {
        try (InputStream in = jar.getInputStream(entry)) {
          return new ClassReader(in);
        }
      }
    }
    return null;
  }

  int majorVersion(String name) throws IOException {
    return reader(name).readUnsignedShort(6);
  }

  /** Null if the class does not exist. */
  Shape shape(String name) throws IOException {
    if (!shapes.containsKey(name)) {
      ClassReader reader = reader(name);
      shapes.put(name, reader == null ? null : shapeOf(reader));
    }
    return shapes.get(name);
  }

  static Shape shapeOf(ClassReader reader) {
    Map<String, Integer> members = new HashMap<>();
    reader.accept(new ClassVisitor(Opcodes.ASM9) {
      @Override
      public FieldVisitor visitField(
          int access, String name, String type, String signature, Object value) {
        members.put(name + type, access);
        return null;
      }

      @Override
      public MethodVisitor visitMethod(
          int access, String name, String type, String signature, String[] exceptions) {
        members.put(name + type, access);
        return null;
      }
    }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new Shape(reader.getClassName(), reader.getAccess(), reader.getSuperName(),
        List.of(reader.getInterfaces()), members);
  }

  @Override
  public void close() throws IOException {
    for (ZipFile jar : jars) {
      jar.close();
    }
  }
}
