/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not
 * use this file except in compliance with the License. You may obtain a copy of
 * the License at http://www.apache.org/licenses/LICENSE-2.0. Unless required by
 * applicable law or agreed to in writing, software distributed under the License
 * is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY
 * KIND, either express or implied. See the License for the specific language
 * governing permissions and limitations under the License.
 */
package io.github.dripfeed.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Both halves side by side. */
final class Summary {

  /** A figure of both halves, as text. */
  public record Row(String what, String stock, String dripfed) {

    // For the report's template, which asks for properties.
    public String getWhat() {
      return what;
    }

    public String getStock() {
      return stock;
    }

    public String getDripfed() {
      return dripfed;
    }
  }

  private final Half stock;
  private final Half dripfed;
  private final List<Claim> claims;

  Summary(Half stock, Half dripfed) {
    this.stock = stock;
    this.dripfed = dripfed;
    this.claims = Claim.of(stock.outcome(), dripfed.outcome());
  }

  List<Half> halves() {
    return List.of(stock, dripfed);
  }

  List<Claim> claims() {
    return claims;
  }

  boolean isObserved() {
    return claims.stream().allMatch(Claim::observed);
  }

  List<Row> rows() {
    Outcome a = stock.outcome();
    Outcome b = dripfed.outcome();
    return List.of(
        new Row("applications succeeded", of(a.succeeded(), a), of(b.succeeded(), b)),
        new Row("drivers live at once, at most", "" + a.mostDriversAtOnce(),
            "" + b.mostDriversAtOnce()),
        new Row("starting at once, at most", "" + a.mostStarting(), "" + b.mostStarting()),
        new Row("executors allocated", "" + a.executors(), "" + b.executors()),
        new Row("first executor after", seconds(a.firstExecutorMillis()),
            seconds(b.firstExecutorMillis())),
        new Row("all finished after", seconds(a.makespanMillis()), seconds(b.makespanMillis())));
  }

  /** For a terminal of 80 columns. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format("%-32s %14s %14s", "", stock.title(), dripfed.title()));
    for (Row row : rows()) {
      lines.add(String.format("%-32s %14s %14s", row.what(), row.stock(), row.dripfed()));
    }
    lines.add("");
    claims.forEach(claim -> lines.add(claim.toString()));
    return lines;
  }

  private static String of(int count, Outcome outcome) {
    return count + " of " + outcome.applications();
  }

  private static String seconds(OptionalLong millis) {
    return millis.isPresent() ? String.format("%.1f s", millis.getAsLong() / 1000.0) : "never";
  }
}
