// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the answers of bookies prove (L3, B6). */
final class StatusCodeTest {
    @Test
    void onlyTwoAnswersDeny() { // P-19
        assertThat(Arrays.stream(StatusCode.values()).filter(StatusCode::isProofOfAbsence))
                .containsExactly(StatusCode.NO_ENTRY, StatusCode.NO_LEDGER);
    }

    @Test
    void anAnswerOfANewerPeerDecidesNothing() { // P-19
        assertThat(StatusCode.of(StatusCode.values().length)).isEqualTo(StatusCode.UNKNOWN_STATE);
        assertThat(StatusCode.of(-1)).isEqualTo(StatusCode.UNKNOWN_STATE);
        for (StatusCode status : StatusCode.values()) {
            assertThat(StatusCode.of(status.number())).isEqualTo(status);
        }
    }
}
