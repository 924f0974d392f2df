// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.XMLEvent;
import org.apache.hadoop.conf.Configuration;

/** Reads a file, which may be hostile and refer to others. */
final class SafeXml {

  private static final String NETWORK_TIMEOUT_MS = "10000";

  private SafeXml() {
  }

  /**
   * Lets Hadoop read a file. Not in the class of the command: without Hadoop, picocli looks at its methods.
   *
   * @param external whether references to other files and addresses are read
   * @return the names that the file has more than once
   */
  static Set<String> read(File file, boolean external, Configuration conf) throws IOException {
    if (!file.isFile() || !file.canRead()) {
      throw new IOException((!file.exists() ? "No such file: "
          : file.isDirectory() ? "A directory, where a file is required: "
          : file.isFile() ? "No permission to read the file: " : "Not a regular file: ") + file);
    } else if (external) {
      // Hadoop and its parser would wait for a silent server for ever.
      System.setProperty("sun.net.client.defaultConnectTimeout", NETWORK_TIMEOUT_MS);
      System.setProperty("sun.net.client.defaultReadTimeout", NETWORK_TIMEOUT_MS);
    }
    Set<String> twice = external ? Collections.emptySet() : refuseReferences(file);
    try (InputStream in = Files.newInputStream(file.toPath())) {
      conf.addResource(in, file.toString(), !external);
      // Reads it now, so that a failure is known to be of this file.
      conf.size();
    }
    return twice;
  }

  /**
   * Hadoop's restricted parser skips a document type without a word, and does not say what it refuses.
   *
   * @return the names that the file has more than once
   * @throws IOException if the file is no XML, or includes anything, or has a document type
   */
  private static Set<String> refuseReferences(File file) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(file.toPath())) {
      XMLEventReader events = factory.createXMLEventReader(in);
      Set<String> names = new HashSet<>();
      Set<String> twice = new TreeSet<>();
      while (events.hasNext()) {
        XMLEvent event = events.nextEvent();
        if (event.getEventType() == XMLEvent.DTD || event.isStartElement()
            && event.asStartElement().getName().getLocalPart().equals("include")) {
          StringWriter reference = new StringWriter();
          event.writeAsEncodedUnicode(reference);
          throw new IOException("Not read unless --external is given: " + reference + " (in " + file + ")");
        } else if (event.isStartElement()
            && event.asStartElement().getName().getLocalPart().equals("name")
            && events.peek().isCharacters()) {
          String name = events.nextEvent().asCharacters().getData().trim();
          twice.addAll(names.add(name) ? Collections.emptySet() : Collections.singleton(name));
        }
      }
      return twice;
    } catch (XMLStreamException e) {
      throw new IOException("Not readable as a configuration: " + file + ": "
          + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
  }
}
