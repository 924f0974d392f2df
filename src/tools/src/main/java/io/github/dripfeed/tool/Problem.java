// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.tool;

import java.util.Collections;
import java.util.Map;

/** Why a command has no answer: a message for the one who called it, and the exit code. */
public final class Problem extends Exception {

  /** The answer is no: no such queue or application. */
  public static final int NOT_FOUND = 1;
  /** The call is wrong, or the command itself fails. */
  public static final int WRONG_CALL = 2;
  /** No active ResourceManager can be reached. */
  public static final int UNREACHABLE = 3;
  /** The ResourceManager asks for a login, or does not allow it. */
  public static final int NOT_ALLOWED = 4;
  /** What answers is no ResourceManager with Dripfeed. */
  public static final int NO_DRIPFEED = 5;

  private static final long serialVersionUID = 1L;

  public final int exitCode;

  public Problem(int exitCode, String message) {
    this(exitCode, message, null);
  }

  public Problem(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** A value of an option that is not allowed. */
  public static Problem wrong(String option, String value, String allowed) {
    return new Problem(WRONG_CALL, option + " = '" + value + "': allowed " + allowed);
  }

  /** What {@code --json} prints of it. */
  public Map<String, Object> document() {
    return JsonText.document("exitCode", exitCode, "errors", Collections.singletonList(getMessage()));
  }
}
