// SPDX-License-Identifier: Apache-2.0
package io.github.dripfeed.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvFileTest {

  @TempDir
  private Path folder;

  @Test
  void timesOfAnIdleClusterAreEmptyWhereItDeadlocks() throws Exception {
    IdleStudy idle = new IdleStudy(100, List.of(new IdleStudy.Row(3, 8192, 60, 9,
        Double.POSITIVE_INFINITY, 2.5, 3, 6, 4)));
    Path file = folder.resolve("idle.csv");

    CsvFile.writeIdle(idle, file);

    assertThat(Files.readAllLines(file)).containsExactly(
        "applications,nodes,largest_mb,start_up,stock,am_limit_1,one,max_starting_10,auto,"
            + "auto_cold",
        "100,3,8192,60,9.000,,2.500,3.000,4.000,6.000");
  }
}
