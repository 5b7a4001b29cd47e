// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Positions: their order and their text (D-37). */
final class DLSNTest {
    @Test
    void orderIsBySegmentThenEntryThenSlot() {
        List<DLSN> rising = List.of(
                DLSN.BEFORE_ALL,
                new DLSN(1, 0, 0),
                new DLSN(1, 0, 1),
                new DLSN(1, 1, 0),
                new DLSN(1, 10, 0),
                new DLSN(2, 0, 0),
                new DLSN(Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE));

        for (int i = 0; i < rising.size(); i++) {
            for (int j = 0; j < rising.size(); j++) {
                assertThat(Integer.signum(rising.get(i).compareTo(rising.get(j))))
                        .isEqualTo(Integer.signum(Integer.compare(i, j)));
            }
        }
    }

    @Test
    void textIsReadAsItWasWritten() {
        for (DLSN position : List.of(DLSN.BEFORE_ALL, new DLSN(1, 42, 3), new DLSN(Long.MAX_VALUE, 0, 7))) {
            assertThat(DLSN.parse(position.toString())).isEqualTo(position);
        }
        assertThat(new DLSN(1, 42, 3)).hasToString("1:42:3");
    }

    @Test
    void badTextIsRefusedAndNamed() {
        for (String bad :
                List.of("", "1", "1:2", "1:2:3:4", "a:2:3", "1:2:99999999999", "-1:2:3", "1::3", " 1:2:3", "1:2:")) {
            assertThatThrownBy(() -> DLSN.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bad);
        }
    }

    @Test
    void negativePartsAreRefused() {
        assertThatThrownBy(() -> new DLSN(-1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DLSN(0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DLSN(0, 0, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
