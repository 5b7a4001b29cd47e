// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.WriterOptions.IfOwned;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What may be asked of a writer. */
final class WriterOptionsTest {
    private static final WriterOptions DEFAULT = WriterOptions.DEFAULT;

    @Test
    void byDefaultNobodyWhoLivesIsDisturbedAndWhoDiedIsOutlasted() {
        assertThat(DEFAULT.ifOwned()).isEqualTo(IfOwned.WAIT);
        assertThat(DEFAULT.ownershipWaitMax()).isGreaterThan(Duration.ofSeconds(20));
        assertThat(DEFAULT.linger()).isZero();
    }

    @Test
    void eachPartIsChangedByItself() {
        assertThat(DEFAULT.takingOver().ifOwned()).isEqualTo(IfOwned.TAKE_OVER);
        assertThat(DEFAULT.failingIfOwned().ifOwned()).isEqualTo(IfOwned.FAIL);
        WriterOptions all = DEFAULT.waitingFor(Duration.ofSeconds(1))
                .withBatches(Duration.ofMillis(2), 4096)
                .withLabel("job");
        assertThat(all)
                .isEqualTo(new WriterOptions(IfOwned.WAIT, Duration.ofSeconds(1), Duration.ofMillis(2), 4096, "job"));
    }

    @Test
    void impossibleValuesAreRefused() {
        Duration negative = Duration.ofMillis(-1);
        assertThatThrownBy(() -> DEFAULT.waitingFor(negative)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULT.withBatches(negative, 4096)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULT.withBatches(Duration.ofHours(2), 4096)).hasMessageContaining("PT1H");
        assertThatThrownBy(() -> DEFAULT.withBatches(Duration.ZERO, 1023)).hasMessageContaining("1024");
        assertThatThrownBy(() -> DEFAULT.withBatches(Duration.ZERO, LogRecord.PAYLOAD_BYTES_MAX + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DEFAULT.withLabel("x".repeat(201))).isInstanceOf(IllegalArgumentException.class);
    }
}
