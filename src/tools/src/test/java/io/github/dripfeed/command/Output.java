// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.dripfeed.tool.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs a command and keeps what it writes. */
final class Output {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int exitCode;

  /** To a file or pipe. */
  static Output of(String... call) {
    return of(false, 80, call);
  }

  /** @param live whether it is a terminal */
  static Output of(boolean live, int width, String... call) {
    return of(live, live, width, call);
  }

  /**
   * On a terminal with colours.
   *
   * @param errorsLive whether errors go there, too, or into a file
   */
  static Output onTerminal(boolean errorsLive, String... call) {
    return of(true, errorsLive, 80, call);
  }

  private static Output of(boolean live, boolean errorsLive, int width, String... call) {
    Output output = new Output();
    output.exitCode = Commands.run(call,
        new Terminal(stream(output.out), stream(output.err), live, errorsLive, live, width));
    return output;
  }

  static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  int exitCode() {
    return exitCode;
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  JsonNode json() throws JsonProcessingException {
    return new ObjectMapper().readTree(out());
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
