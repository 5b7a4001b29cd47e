// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan that cannot be run says which of its lines is wrong, and how. */
final class PlanTextTest {
    private static final String PLAN = """
            # a comment
            seed = 5
            bookies = 3
            recoverers = 1
            knobs = 16384 2 1000 16384 1000 500 200 50 100 200
            lane = 3/3/2 1 5 2 0 10
            faultsMicros = 1000000
            fault = KILL_BOOKIE 0 3 10 1 500 0
            """;

    @Test
    void planThatIsWholeIsRead() {
        assertThat(Plan.parse(PLAN).faults()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            seed = 5                           | seed = x                         | line 2, | "x"
            bookies = 3                        | bookies = 2                      | line 6, | an ensemble of 3 does not fit into 2 bookies
            bookies = 3                        | # none                           | a plan  | needs bookies
            recoverers = 1                     | recoverers = 0                   | a plan  | needs recoverers
            lane = 3/3/2 1 5 2 0 10            | # none                           | a plan  | needs a lane
            lane = 3/3/2 1 5 2 0 10            | lane = 3/3/2 1 5                 | line 6, | is not a lane
            fault = KILL_BOOKIE 0 3 10 1 500 0 | fault = EXPLODE 0 3 10 1 500 0   | line 8, | there is no 'EXPLODE'
            fault = KILL_BOOKIE 0 3 10 1 500 0 | fault = KILL_BOOKIE 1 3 10 1 5 0 | line 8, | there is no lane 1 for its anchor
            fault = KILL_BOOKIE 0 3 10 1 500 0 | mistake = 4                      | line 8, | does not belong into a plan
            """, quoteCharacter = '`')
    void planThatCannotBeRunNamesTheLineAndWhatIsWrong(String right, String wrong, String where, String why) {
        assertThatThrownBy(() -> Plan.parse(PLAN.replace(right, wrong)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(where)
                .hasMessageContaining(why);
    }
}
