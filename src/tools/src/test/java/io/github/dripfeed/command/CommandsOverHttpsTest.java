// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.dripfeed.fixture.Eventually;
import io.github.dripfeed.tool.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands at a ResourceManager whose certificate is signed by nobody but itself. */
class CommandsOverHttpsTest {

  private static final String PASSWORD = "changeit";

  /** A folder of the class path, as Hadoop's configuration folder is. */
  @TempDir
  private static Path configuration;

  private static Path own;
  private static Path other;

  @BeforeAll
  static void makeCertificates() throws Exception {
    own = certificate("own", "127.0.0.1");
    other = certificate("other", "127.0.0.2");
  }

  /** The store has the key and the certificate, so it does for the server and for those who trust it. */
  private static Path certificate(String name, String address) throws Exception {
    Path store = configuration.resolve(name + ".p12");
    Process keytool = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + address,
        "-ext", "san=ip:" + address, "-storetype", "PKCS12", "-keystore", store.toString(),
        "-storepass", PASSWORD).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes());
    assertThat(keytool.waitFor()).as(output).isZero();
    return store;
  }

  @Test
  void trustStoreOfHadoopCounts() throws Exception {
    try (FakeResourceManager rm = serving(own)) {
      Output output = status(rm, own);
      assertThat(output.exitCode()).as(output.err()).isZero();
      assertThat(output.out()).contains("root.batch: 1 starting");
    }
  }

  @Test
  void unknownCertificateIsRefused() throws Exception {
    try (FakeResourceManager rm = serving(own)) {
      for (Output output : new Output[] {status(rm, null), status(rm, other)}) {
        assertThat(output.exitCode()).isEqualTo(Problem.UNREACHABLE);
        assertThat(output.err()).contains("The certificate of " + rm.url() + " is not accepted",
            "ssl-client.xml");
        assertThat(rm.asked).isEmpty();
      }
    }
  }

  @Test
  void certificateOfAnotherHostIsRefused() throws Exception {
    try (FakeResourceManager rm = serving(other)) {
      Output output = status(rm, other);
      assertThat(output.exitCode()).isEqualTo(Problem.UNREACHABLE);
      assertThat(output.err()).contains(rm.url() + " cannot be read: ")
          .as("Java's own words, which differ between its versions").containsIgnoringCase("https hostname");
      assertThat(rm.asked).isEmpty();
    }
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void answerWithoutEndIsGivenUp() throws Exception {
    ServerSocketFactory https = context(own).getServerSocketFactory();
    try (TricklingServer server = new TricklingServer(https, "HTTP/1.1 200 OK\r\nX: ")) {
      String address = "https://" + server.address();
      Output output = run(own, "status", "--timeout", "1", "--rm", address);
      assertThat(output.exitCode()).as(output.err()).isEqualTo(Problem.UNREACHABLE);
      assertThat(output.err()).contains("No whole answer from " + address);
      Eventually.is("nobody listens any more", server::isLeft);
    }
  }

  private static FakeResourceManager serving(Path certificate) throws Exception {
    return new FakeResourceManager(context(certificate)).busy();
  }

  private static SSLContext context(Path certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(certificate)) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static Output status(FakeResourceManager rm, Path trusted) throws Exception {
    return run(trusted, "status", "--rm", rm.url());
  }

  /** @param trusted the trust store that {@code ssl-client.xml} names; null if there is no such file */
  private static Output run(Path trusted, String... call) throws Exception {
    Path file = configuration.resolve("ssl-client.xml");
    Files.deleteIfExists(file);
    if (trusted != null) {
      write(file, trusted);
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {configuration.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      return Output.of(call);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static void write(Path file, Path trusted) throws IOException {
    Configuration client = new Configuration(false);
    client.set("ssl.client.truststore.location", trusted.toString());
    client.set("ssl.client.truststore.password", PASSWORD);
    client.set("ssl.client.truststore.type", "PKCS12");
    try (OutputStream out = Files.newOutputStream(file)) {
      client.writeXml(out);
    }
  }
}
