// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLResolver;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a configuration file with all that it includes into one XML document without includes, entities
 * and document types, which Hadoop then reads as it would read the file.
 *
 * <p>The file may be hostile: nothing is read from the network and no external entity is resolved unless
 * asked for, and there are limits to what it may grow to.
 */
final class SafeXml {

  /** Opens what a file includes. */
  private interface Opener {
    InputStream open() throws IOException;
  }

  /** A file, or what a file includes. */
  private static final class Source {
    final String name;
    final File folder;
    final Opener opener;

    Source(String name, File folder, Opener opener) {
      this.name = name;
      this.folder = folder;
      this.opener = opener;
    }
  }

  /** Hadoop's configuration files are far below it, with thousands of queues too. */
  static final int MAX_BYTES = 64 << 20;
  private static final int MAX_INCLUDES = 1000;
  private static final int NETWORK_TIMEOUT_MS = 10_000;
  /** Two characters at least, so that no drive letter of Windows is one. */
  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:.*");
  private static final String FILE = "file:";

  private final boolean external;
  private final StringBuilder document = new StringBuilder();
  private final List<String> including = new ArrayList<>();
  private long bytes;
  private int includes;

  private SafeXml(boolean external) {
    this.external = external;
  }

  /**
   * Reads a file.
   *
   * @param external whether network addresses, external entities and document types are read
   * @return an XML document that refers to nothing
   * @throws IOException if the file cannot be read or must not be; the message says why, for an operator
   */
  static String read(File file, boolean external) throws IOException {
    SafeXml xml = new SafeXml(external);
    xml.document.append("<configuration>");
    try {
      xml.readSource(ofFile(file));
    } catch (XMLStreamException e) {
      Throwable cause = e.getNestedException() == null ? e : e.getNestedException();
      throw new IOException("Not readable as a configuration: " + file + ": "
          + String.valueOf(cause.getMessage()).replaceAll("\\s+", " "), e);
    }
    return xml.document.append("</configuration>").toString();
  }

  private static Source ofFile(File file) throws IOException {
    problemOf(file);
    return new Source(file.getCanonicalPath(), file.getAbsoluteFile().getParentFile(),
        () -> Files.newInputStream(file.toPath()));
  }

  /** @throws IOException if it is no file that can be read */
  static void problemOf(File file) throws IOException {
    if (!file.exists()) {
      throw new IOException("No such file: " + file);
    } else if (file.isDirectory()) {
      throw new IOException("A directory, where a file is required: " + file);
    } else if (!file.isFile()) {
      throw new IOException("Not a regular file: " + file);
    } else if (!file.canRead()) {
      throw new IOException("No permission to read the file: " + file);
    }
  }

  private void readSource(Source source) throws IOException, XMLStreamException {
    if (including.contains(source.name)) {
      throw new IOException("Loop of includes: "
          + String.join(" -> ", including.subList(including.indexOf(source.name), including.size()))
          + " -> " + source.name);
    }
    includes++;
    if (includes > MAX_INCLUDES) {
      throw new IOException("More than " + MAX_INCLUDES + " includes, the last of them in "
          + including.get(including.size() - 1));
    }
    including.add(source.name);
    try (InputStream in = new BufferedInputStream(limited(source))) {
      XMLStreamReader reader = factory().createXMLStreamReader(source.name, in);
      while (reader.hasNext()) {
        copy(reader, reader.next(), source);
      }
      reader.close();
    }
    including.remove(including.size() - 1);
  }

  private XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
    factory.setXMLResolver(resolver());
    return factory;
  }

  /** A resolver that returned null would leave it to the parser, which would read anything. */
  private XMLResolver resolver() {
    return (publicId, systemId, base, namespace) -> {
      if (external && systemId != null) {
        return null;
      }
      throw new XMLStreamException("it refers to the external entity or document type '" + systemId
          + "', which is not read unless --external is given");
    };
  }

  private void copy(XMLStreamReader reader, int event, Source source)
      throws IOException, XMLStreamException {
    if (event == XMLStreamConstants.START_ELEMENT) {
      String name = reader.getLocalName();
      if (name.equals("include")) {
        include(reader, source);
      } else if (!name.equals("configuration")) {
        document.append('<').append(name);
        for (int i = 0; i < reader.getAttributeCount(); i++) {
          document.append(' ').append(reader.getAttributeLocalName(i)).append("=\"");
          append(reader.getAttributeValue(i));
          document.append('"');
        }
        document.append('>');
      }
    } else if (event == XMLStreamConstants.END_ELEMENT) {
      if (!reader.getLocalName().equals("configuration")) {
        document.append("</").append(reader.getLocalName()).append('>');
      }
    } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA
        || event == XMLStreamConstants.SPACE) {
      append(reader.getText());
    }
  }

  private void append(String text) throws IOException {
    if (document.length() + text.length() > MAX_BYTES) {
      throw tooLarge();
    }
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '<' || c == '&' || c == '"' || c == '\r' || c == '\n' || c == '\t' || c == '>') {
        document.append(text, copied, i).append("&#").append((int) c).append(';');
        copied = i + 1;
      }
    }
    document.append(text, copied, text.length());
  }

  private IOException tooLarge() {
    return new IOException("Too large: " + including.get(0) + " with all that it includes and expands to"
        + " exceeds " + (MAX_BYTES >> 20) + " MB");
  }

  /** Reads what is included; its fallback if there is nothing under that name, as Hadoop does. */
  private void include(XMLStreamReader reader, Source source) throws IOException, XMLStreamException {
    String href = reader.getAttributeValue(null, "href");
    Source included = href == null ? null : included(href, source);
    if (included != null) {
      readSource(included);
    }
    boolean hasFallback = false;
    int depth = 1;
    while (depth > 0) {
      int event = reader.next();
      boolean isFallback = (event == XMLStreamConstants.START_ELEMENT
          || event == XMLStreamConstants.END_ELEMENT) && reader.getLocalName().equals("fallback");
      hasFallback |= isFallback;
      depth += event == XMLStreamConstants.START_ELEMENT ? 1
          : event == XMLStreamConstants.END_ELEMENT ? -1 : 0;
      if (included == null && depth > 0 && hasFallback && !isFallback) {
        boolean nested = event == XMLStreamConstants.START_ELEMENT
            && reader.getLocalName().equals("include");
        copy(reader, event, source);
        // An include within the fallback has read its own end.
        depth -= nested ? 1 : 0;
      }
    }
    if (href != null && included == null && !hasFallback) {
      throw new IOException("No such file to include: " + href + " (in " + source.name + ")");
    }
  }

  /** What is included, or null if there is no such file. */
  private Source included(String href, Source source) throws IOException {
    boolean isAddress = SCHEME.matcher(href).matches();
    if (isAddress && !href.matches("file:/+[^/].*")) {
      if (!external) {
        throw new IOException("Not read unless --external is given: " + href + " (included in "
            + source.name + ")");
      }
      return new Source(href, source.folder, () -> connect(new URL(href)));
    }
    String path = isAddress ? "/" + href.substring(FILE.length()).replaceFirst("^/+", "") : href;
    File file = new File(path);
    file = file.isAbsolute() ? file : new File(source.folder, path);
    if (file.exists()) {
      return ofFile(file);
    }
    // Hadoop looks at its class path first; what lies beside the file is there once it is deployed.
    URL resource = SafeXml.class.getClassLoader().getResource(path);
    return resource == null ? null : new Source(resource.toString(), source.folder, resource::openStream);
  }

  private static InputStream connect(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setConnectTimeout(NETWORK_TIMEOUT_MS);
    connection.setReadTimeout(NETWORK_TIMEOUT_MS);
    return connection.getInputStream();
  }

  private InputStream limited(Source source) throws IOException {
    return new FilterInputStream(source.opener.open()) {
      @Override
      public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
      }
    };
  }

  private void count(int read) throws IOException {
    bytes += read;
    if (bytes > MAX_BYTES) {
      throw tooLarge();
    }
  }
}
