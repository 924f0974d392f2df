// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between documents and from comments to documents lead to a heading. Named tests exist. */
class DocumentationLinksTest {

  private static final Pattern CODE = Pattern.compile("^```.*?^```", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
  private static final Pattern LINK = Pattern.compile("\\]\\((?!\\w+:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern COMMENT = Pattern.compile("\\b(docs/[\\w-]+\\.md)(?:#([\\w-]+))?");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|[a-z]IT))(?:\\.(\\w+))?[`.…]");

  @Test
  void documentLinksLeadToHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(withoutCode(document));
      while (link.find()) {
        Path target = link.group(1).isEmpty() ? document
            : document.resolveSibling(link.group(1)).normalize();
        check(document, target, link.group(2), broken);
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void sourceReferencesLeadToHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path source : files(Path.of("src"), ".java")) {
      Matcher reference = COMMENT.matcher(Files.readString(source));
      while (reference.find()) {
        check(source, Path.of(reference.group(1)), reference.group(2), broken);
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void testsNamedInDocumentsExist() throws IOException {
    List<Path> tests = files(Path.of("src"), ".java");
    List<String> missing = new ArrayList<>();
    for (Path document : documents()) {
      Matcher named = TEST.matcher(Files.readString(document));
      while (named.find()) {
        List<Path> found = tests.stream()
            .filter(test -> test.endsWith(named.group(1) + ".java")).collect(Collectors.toList());
        if (found.isEmpty() || named.group(2) != null
            && !Files.readString(found.get(0)).contains("void " + named.group(2))) {
          missing.add(document + ": " + named.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static void check(Path from, Path target, String anchor, List<String> broken)
      throws IOException {
    boolean leads = Files.exists(Path.of("").resolve(target))
        && (anchor == null || anchors(target).contains(anchor));
    if (!leads) {
      broken.add(from + ": " + target + (anchor == null ? "" : "#" + anchor));
    }
  }

  /** The anchors that GitHub derives from headings. */
  private static TreeSet<String> anchors(Path document) throws IOException {
    TreeSet<String> anchors = new TreeSet<>();
    Matcher heading = HEADING.matcher(withoutCode(document));
    while (heading.find()) {
      anchors.add(heading.group(1).trim().toLowerCase(Locale.ROOT)
          .replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
    }
    return anchors;
  }

  private static String withoutCode(Path document) throws IOException {
    return CODE.matcher(Files.readString(document)).replaceAll("");
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>(files(Path.of("docs"), ".md"));
    try (Stream<Path> root = Files.list(Path.of(""))) {
      root.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).collect(Collectors.toList());
    }
  }
}
