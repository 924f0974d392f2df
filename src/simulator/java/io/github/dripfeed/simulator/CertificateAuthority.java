// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import java.security.KeyPair;
import org.apache.commons.lang3.reflect.ConstructorUtils;
import org.apache.commons.lang3.reflect.MethodUtils;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore.RMState;

/**
 * One certificate authority for all ResourceManagers of this process. Each makes one of its own otherwise,
 * for drivers that serve their page with HTTPS, and its key takes more time than the rest of the start.
 * Hadoop 3.2 has no such authority, hence the calls by name.
 */
public final class CertificateAuthority {

  /** YARN's {@code ProxyCA}; null on Hadoop 3.2. */
  private static final Object MADE = make();

  private CertificateAuthority() {
  }

  private static Object make() {
    try {
      Object made = ConstructorUtils.invokeConstructor(
          Class.forName("org.apache.hadoop.yarn.server.webproxy.ProxyCA"));
      call(made, "init");
      return made;
    } catch (ClassNotFoundException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The certificate authority of YARN's proxy", e);
    }
  }

  /** Gives it to a ResourceManager that is not started yet and will not recover a state. */
  public static void giveTo(RMContext context) {
    if (MADE != null) {
      RMState state = new RMState();
      storeIn(state);
      call(call(context, "getProxyCAManager"), "recover", state);
    }
  }

  /** Stores it in a state that a ResourceManager will recover. */
  public static void storeIn(RMState state) {
    if (MADE != null) {
      Object stored = call(state, "getProxyCAState");
      call(stored, "setCaCert", call(MADE, "getCaCert"));
      call(stored, "setCaPrivateKey", ((KeyPair) call(MADE, "getCaKeyPair")).getPrivate());
    }
  }

  private static Object call(Object target, String method, Object... arguments) {
    try {
      return MethodUtils.invokeMethod(target, method, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(method + " of " + target, e);
    }
  }
}
