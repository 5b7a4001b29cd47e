// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One short pass over every benchmark, so that a broken one breaks the build. */
final class BenchmarkSmokeTest {
    @Test
    void everyBenchmarkRunsAndMeasuresSomething() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io\\.daybook\\.benchmarks\\..*")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results)
                .hasSizeGreaterThan(15)
                .allSatisfy(result -> assertThat(result.getPrimaryResult().getScore())
                        .as(result.getPrimaryResult().getLabel())
                        .isPositive());
    }
}
