// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.daybook.runtime.Failures;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamOptions;
import io.daybook.testkit.cluster.LocalCluster;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a program without the key does to a stream whose entries have an HMAC, on a real cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SignedStreamClusterTest {
    private static final byte[] KEY = "a key of sixteen bytes or more".getBytes(StandardCharsets.UTF_8);
    private static final StreamOptions SIGNED = StreamOptions.DEFAULT.withDigest(StreamOptions.Digest.HMAC_SHA256);

    private LocalCluster cluster;

    @BeforeAll
    void startCluster() {
        cluster = LocalCluster.builder().bookies(3).start();
    }

    @AfterAll
    void closeCluster() {
        cluster.close();
    }

    @Test
    void writerOfAStreamThatWasDeletedWithoutItsKeyIsAcknowledgedNothingMore() {
        try (Namespace with = Namespace.open(cluster.uri().toString(), KEY);
                Namespace without = Namespace.open(cluster.uri().toString())) {
            LogStream stream =
                    with.openStream("signed", OpenMode.CREATE_NEW, SIGNED).join();
            LogWriter writer = stream.openWriter().join();
            writer.append(LogRecord.of(1, "before")).join();

            without.delete("signed").join();

            // P-06: nobody needs the key to stop a writer
            assertThat(Failures.rootOf(catchThrowable(writer.append(LogRecord.of(2, "after"))::join)))
                    .isInstanceOf(StreamException.class);
            assertThat(without.exists("signed").join()).isFalse();
        }
    }
}
