// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.hadooptests;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates an RSA key once per process. Every ResourceManager of a test creates one for its web proxy, which
 * takes longer than the rest of the test; on two cores it made tests exceed their timeouts.
 */
final class OneKeyPair extends Provider {

  private static final long serialVersionUID = 1;

  OneKeyPair() {
    super("OneKeyPair", "1", "one RSA key for a process");
    put("KeyPairGenerator.RSA", Generator.class.getName());
  }

  /** The key of the security framework. */
  public static final class Generator extends KeyPairGeneratorSpi {

    private static final Map<Integer, KeyPair> MADE = new ConcurrentHashMap<>();

    private int bits = 2048;

    @Override
    public void initialize(int keySize, SecureRandom random) {
      bits = keySize;
    }

    @Override
    public KeyPair generateKeyPair() {
      return MADE.computeIfAbsent(bits, Generator::make);
    }

    private static KeyPair make(int bits) {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
        generator.initialize(bits);
        return generator.generateKeyPair();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
