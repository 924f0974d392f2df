// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.events.XMLEvent;

/** Looks whether a file, which may be hostile, refers to anything that Hadoop would read with it. */
final class SafeXml {

  private SafeXml() {
  }

  /**
   * Hadoop's restricted parser skips a document type without a word, and does not say what it refuses.
   *
   * @throws IOException if the file is no XML, or includes anything, or has a document type
   */
  static void refuseReferences(File file) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream in = Files.newInputStream(file.toPath())) {
      XMLEventReader events = factory.createXMLEventReader(in);
      while (events.hasNext()) {
        XMLEvent event = events.nextEvent();
        if (event.getEventType() == XMLEvent.DTD || event.isStartElement()
            && event.asStartElement().getName().getLocalPart().equals("include")) {
          StringWriter reference = new StringWriter();
          event.writeAsEncodedUnicode(reference);
          throw new IOException("Not read unless --external is given: " + reference + " (in " + file + ")");
        }
      }
    } catch (XMLStreamException e) {
      throw new IOException("Not readable as a configuration: " + file + ": "
          + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
  }
}
