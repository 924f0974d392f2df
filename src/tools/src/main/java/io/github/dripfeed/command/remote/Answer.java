// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.command.remote;

/** An answer over HTTP, whatever its status. Immutable. */
final class Answer {

  final int status;
  final String body;
  /** Where a redirection leads; null without one. */
  final String location;
  /** How a login is asked for; null if none is. */
  final String challenge;

  Answer(int status, String body, String location, String challenge) {
    this.status = status;
    this.body = body;
    this.location = location;
    this.challenge = challenge;
  }
}
