// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.entrylog.Defects;
import io.daybook.simulation.crash.CrashPoints.Depth;
import io.daybook.simulation.crash.CrashPoints.Trial;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Power fails at disk operations of a bookie: it starts again and keeps what it told (S-22, S-24; B1 to B4, B6 to B8, B12). */
final class CrashPointsTest {
    @ParameterizedTest
    @EnumSource(CrashScript.class)
    void whatWasToldIsKeptAfterACrashAtSomeOperations(CrashScript script, TestReporter reporter) {
        check(script, 1, new Depth(5, 50), reporter);
    }

    // S-18: seed 3 has three data directories.
    @ParameterizedTest
    @EnumSource(CrashScript.class)
    void whatWasToldIsKeptOverSeveralDataDirectories(CrashScript script, TestReporter reporter) {
        check(script, 3, new Depth(7, 50), reporter);
    }

    // S-24: every moment of every twentieth start is tried, also those of the first start after the format.
    @Test
    void interruptedFormatIsContinuedAfterACrashAtAnyOperation(TestReporter reporter) {
        check(CrashScript.FORMAT, 4, new Depth(1, 20), reporter);
    }

    // S-19, D13, P-113: seed 4 has two journals, seed 8 three, and two data directories; either journal is flushed
    // first.
    @ParameterizedTest
    @CsvSource({"FORMAT, 4", "ROLL, 4", "FACTS, 4", "STOP, 4", "REPLAY, 4", "CLEANUP, 4", "ROLL, 8", "REPLAY, 8"})
    void whatWasToldIsKeptOverSeveralJournals(CrashScript script, long seed, TestReporter reporter) {
        check(script, seed, new Depth(7, 50), reporter);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(CrashScript.class)
    void whatWasToldIsKeptAfterACrashAtAnyOperation(CrashScript script, TestReporter reporter) {
        for (int seed = 1; seed <= 4; seed++) {
            check(script, seed, new Depth(1, 10), reporter);
        }
    }

    /** A defect of a bookie, what it does when that shows, and a seed. */
    static Stream<Arguments> planted() {
        return Stream.of(
                Arguments.of(Defects.FACTS_ALONE_TRIMMED, CrashScript.FACTS, 1),
                Arguments.of(Defects.EARLY_MARK, CrashScript.ROLL, 1),
                // Two journals.
                Arguments.of(Defects.FURTHEST_MARK, CrashScript.ROLL, 4),
                Arguments.of(Defects.EARLY_UNLINK, CrashScript.CLEANUP, 1));
    }

    @ParameterizedTest
    @MethodSource("planted")
    void aPlantedDefectIsFound(String defect, CrashScript script, long seed) { // D12, D13, D14
        CrashPoints.Result result =
                CrashPoints.of(new Trial(script, seed, new Depth(1, 0), List.of(defect)), starts -> true);

        assertThat(result.findings()).isNotEmpty();
        assertThat(result.findings().get(0).toString()).contains(script.name(), "power fails after");
    }

    private static void check(CrashScript script, long seed, Depth depth, TestReporter reporter) {
        CrashPoints.Result result = CrashPoints.of(new Trial(script, seed, depth, List.of()), starts -> true);

        reporter.publishEntry(script.name(), result.moments() + " moments, " + result.starts() + " starts");
        assertThat(result.findings()).isEmpty();
        assertThat(result.starts()).isGreaterThanOrEqualTo(10);
    }
}
