/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.command.remote;

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

  private final int exitCode;

  public Problem(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public Problem(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
