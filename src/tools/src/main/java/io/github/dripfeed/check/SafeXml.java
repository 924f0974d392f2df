// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.check;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLResolver;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.hadoop.conf.Configuration;

/**
 * Lets Hadoop read a configuration file with all that it includes, after a look at them: the file may be
 * hostile, and Hadoop would read anything that it refers to, on the network too. Hadoop's own restricted
 * parser is no choice, since it refuses every include and leaves out document types without a word.
 */
final class SafeXml extends ClassLoader {

  /** Of text. Hadoop's configuration files are far below it, with thousands of queues too. */
  static final int MAX_BYTES = 64 << 20;
  private static final int MAX_INCLUDES = 1000;
  private static final String NETWORK_TIMEOUT_MS = "10000";
  private static final String FILE = "file";

  private final File file;
  private final boolean external;
  private final List<String> including = new ArrayList<>();
  private long length;
  private int includes;

  private SafeXml(File file, boolean external) {
    super(SafeXml.class.getClassLoader());
    this.file = file;
    this.external = external;
  }

  /**
   * Adds a file.
   *
   * @param external whether network addresses, external entities and document types are read
   * @throws IOException if the file cannot be read or must not be; the message says why, for an operator
   */
  static void read(File file, boolean external, Configuration conf) throws IOException {
    SafeXml xml = new SafeXml(file, external);
    if (external) {
      // Hadoop and its parser would wait for a silent server for ever.
      System.setProperty("sun.net.client.defaultConnectTimeout", NETWORK_TIMEOUT_MS);
      System.setProperty("sun.net.client.defaultReadTimeout", NETWORK_TIMEOUT_MS);
    }
    try {
      xml.look(problemOf(file).toURI().toURL());
    } catch (XMLStreamException e) {
      Throwable cause = e.getNestedException() == null ? e : e.getNestedException();
      throw new IOException("Not readable as a configuration: " + file + ": "
          + String.valueOf(cause.getMessage()).replaceAll("\\s+", " "), e);
    }
    conf.setClassLoader(xml);
    try (InputStream in = Files.newInputStream(file.toPath())) {
      conf.addResource(in, file.toString());
      // Reads it now, so that a failure is known to be of this file.
      conf.size();
    }
  }

  /** @throws IOException if it is no file that can be read */
  private static File problemOf(File file) throws IOException {
    if (!file.exists()) {
      throw new IOException("No such file: " + file);
    } else if (file.isDirectory()) {
      throw new IOException("A directory, where a file is required: " + file);
    } else if (!file.isFile()) {
      throw new IOException("Not a regular file: " + file);
    } else if (!file.canRead()) {
      throw new IOException("No permission to read the file: " + file);
    }
    return file;
  }

  private void look(URL url) throws IOException, XMLStreamException {
    String name =
        url.getProtocol().equals(FILE) ? new File(url.getPath()).getCanonicalPath() : url.toString();
    if (including.contains(name)) {
      throw new IOException("Loop of includes: "
          + String.join(" -> ", including.subList(including.indexOf(name), including.size()))
          + " -> " + name);
    }
    includes++;
    if (includes > MAX_INCLUDES) {
      throw new IOException("More than " + MAX_INCLUDES + " includes, the last of them in "
          + including.get(including.size() - 1));
    }
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setXMLResolver(resolver());
    try (InputStream in = url.openStream()) {
      including.add(name);
      XMLStreamReader reader = factory.createXMLStreamReader(name, in);
      String missing = null;
      while (reader.hasNext()) {
        int event = reader.next();
        boolean isElement = event == XMLStreamConstants.START_ELEMENT;
        boolean isText = event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA;
        count(isText ? reader.getTextLength() : 1);
        for (int i = 0; isElement && i < reader.getAttributeCount(); i++) {
          count(reader.getAttributeValue(i).length());
          if (reader.getLocalName().equals("include") && reader.getAttributeLocalName(i).equals("href")) {
            String href = reader.getAttributeValue(i);
            missing = include(href, name) ? null : href;
          }
        }
        if (isElement && reader.getLocalName().equals("fallback")) {
          missing = null;
        } else if (event == XMLStreamConstants.END_ELEMENT && missing != null
            && reader.getLocalName().equals("include")) {
          throw new IOException("No such file to include: " + missing + " (in " + name + ")");
        }
      }
    }
    including.remove(including.size() - 1);
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

  private void count(long more) throws IOException {
    length += more;
    if (length > MAX_BYTES) {
      throw new IOException("Too large: " + including.get(0) + " with all that it includes and expands to"
          + " exceeds " + (MAX_BYTES >> 20) + " MB");
    }
  }

  /** @return whether there is something of this name, in the places and the order in which Hadoop looks */
  private boolean include(String href, String source) throws IOException, XMLStreamException {
    if (fileOf(href).exists()) {
      problemOf(fileOf(href));
    }
    try {
      URL url = getResource(href);
      if (url == null) {
        url = new URL(href);
        if (!url.getProtocol().equals(FILE) || !url.getHost().isEmpty()) {
          if (external) {
            return true;
          }
          throw new IOException("Not read unless --external is given: " + href + " (included in "
              + source + ")");
        }
      }
      look(url);
      return true;
    } catch (MalformedURLException | FileNotFoundException e) {
      return false;
    }
  }

  /** Hadoop asks here first. What lies beside the file is in its class path once it is deployed. */
  @Override
  public URL getResource(String name) {
    try {
      return fileOf(name).exists() ? fileOf(name).toURI().toURL() : super.getResource(name);
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private File fileOf(String name) {
    File named = new File(name);
    return named.isAbsolute() ? named : new File(file.getAbsoluteFile().getParentFile(), name);
  }
}
