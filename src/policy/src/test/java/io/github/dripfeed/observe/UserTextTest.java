// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users write cannot break a page, a log or a terminal. */
class UserTextTest {

  private static final String EMOJI = "\ud83d\ude00";

  @Test
  void longTextIsCutBetweenCharacters() {
    assertThat(UserText.plain("x".repeat(299) + EMOJI)).isEqualTo("x".repeat(299));
    assertThat(UserText.plain("x".repeat(298) + EMOJI + "y")).isEqualTo("x".repeat(298) + EMOJI);
    assertThat(UserText.plain("<" + "x".repeat(298) + EMOJI)).isEqualTo("?" + "x".repeat(298));
  }

  @Test
  void longTextOfSeveralWordsIsCutAfterOne() {
    String words = "x".repeat(200) + " " + "y".repeat(94);
    assertThat(UserText.plain(words + "12345")).isEqualTo(words + "12345");
    assertThat(UserText.plain(words + " " + "z".repeat(9))).isEqualTo(words + " ...");
    assertThat(UserText.plain(words + "z".repeat(9))).isEqualTo("x".repeat(200) + " ...");
    assertThat(UserText.word(words + "z".repeat(9))).isEqualTo(words.replace(' ', '?') + "zzzzz");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\ud83d", "\ude00a", "\ud83da\ude00", "\ud83d\ud83d\ude00"})
  void halfACharacterIsReplaced(String text) {
    String plain = UserText.plain(text);
    assertThat(plain).contains("?").hasSameSizeAs(text);
    assertThat(new String(plain.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(plain);
  }

  @Test
  void wholeCharactersStay() {
    assertThat(UserText.plain("nightly " + EMOJI + " \u00e9t\u00e9")).isEqualTo("nightly " + EMOJI
        + " \u00e9t\u00e9");
  }

  @Test
  void aWordOfALogLineHasNoSpaceAndIsNeverMissing() {
    assertThat(UserText.word(null)).isEqualTo("-");
    assertThat(UserText.word("")).isEqualTo("-");
    assertThat(UserText.word("ann bob\nINFO <b>&")).isEqualTo("ann?bob?INFO??b??");
    assertThat(UserText.plain("ann bob\nINFO <b>&")).isEqualTo("ann bob?INFO ?b??");
  }
}
