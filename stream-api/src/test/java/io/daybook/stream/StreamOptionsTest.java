// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.stream.StreamOptions.TransactionIdMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Options of a stream, start positions and the way to a namespace. */
final class StreamOptionsTest {
    @Test
    void impossibleQuorumsAreRefusedAndNamed() {
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withQuorums(3, 2, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3/2/3");
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withQuorums(2, 3, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withQuorums(3, 3, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(StreamOptions.DEFAULT.withQuorums(1, 1, 1).ensembleSize()).isEqualTo(1);
    }

    @Test
    void negativeBoundsAreRefused() {
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withSegmentBounds(Duration.ofMillis(-1), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withSegmentBounds(Duration.ZERO, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withRetention(Duration.ofMillis(-1), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StreamOptions.DEFAULT.withRetention(Duration.ZERO, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withChangesOnePartOnly() {
        StreamOptions options = StreamOptions.DEFAULT
                .withTransactionIdMode(TransactionIdMode.STRICT)
                .withQuorums(5, 3, 2)
                .withSegmentBounds(Duration.ofMinutes(1), 7)
                .withRetention(Duration.ofDays(3), 9)
                .withCompression(StreamOptions.Compression.LZ4)
                .withDigest(StreamOptions.Digest.HMAC_SHA256);

        assertThat(options)
                .isEqualTo(new StreamOptions(
                        5,
                        3,
                        2,
                        TransactionIdMode.STRICT,
                        Duration.ofMinutes(1),
                        7,
                        Duration.ofDays(3),
                        9,
                        StreamOptions.Compression.LZ4,
                        StreamOptions.Digest.HMAC_SHA256));
    }

    @Test
    void startPositionsSayWhatTheyAre() {
        DLSN position = new DLSN(1, 2, 3);

        assertThat(StartPosition.at(position)).isEqualTo(new StartPosition.At(position, false));
        assertThat(StartPosition.after(position)).isEqualTo(new StartPosition.After(position, false));
        assertThat(StartPosition.atTransactionId(5)).isEqualTo(new StartPosition.AtTransactionId(5));
        assertThat(StartPosition.earliest()).isNotEqualTo(StartPosition.latest());
    }

    @Test
    void namespaceWithoutAnImplementationOrWithABadUriIsRefused() {
        assertThatThrownBy(() -> Namespace.open("not a uri"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zk://host:port/path");
        assertThatThrownBy(() -> Namespace.open("zk://localhost:1/x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("daybook-stream-core");
    }
}
