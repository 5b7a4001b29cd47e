// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.micro;

import io.daybook.benchmarks.cluster.EmbeddedCluster;
import io.daybook.benchmarks.cluster.LedgerConnection;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The whole append path in one process: client, three bookies with their journals on disk, the loopback network. With {@code -prof gc}: memory taken
 * for one entry by client and bookies together.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(value = 1, jvmArgsAppend = "-Dlogback.configurationFile=logback-benchmarks.xml")
public class AppendBenchmark {
    private static final int BURST = 1000;
    private static final int PAYLOAD_BYTES = 1024;

    private final EmbeddedCluster cluster = EmbeddedCluster.start(3);
    private final LedgerConnection connection = LedgerConnection.open(cluster.uri());
    private final LedgerWriter writer =
            connection.client().create(CreateOptions.DEFAULT).join();
    private final ByteBuf payload =
            PooledByteBufAllocator.DEFAULT.directBuffer(PAYLOAD_BYTES).writeZero(PAYLOAD_BYTES);

    /** Gives everything back. */
    @TearDown
    public void close() {
        writer.close().join();
        payload.release();
        connection.close();
        cluster.close();
    }

    /** One entry at a time, from a thread that waits for each. */
    @Benchmark
    public long appendOne() {
        return append(1);
    }

    /** A burst of a thousand entries, of which all must be acknowledged before the next. The figure is for one entry. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public long appendBurst() {
        return append(BURST);
    }

    private long append(int count) {
        Burst burst = new Burst(count);
        writer.loop().execute(() -> {
            for (int i = 0; i < count; i++) {
                writer.append(payload.retainedDuplicate(), burst);
            }
        });
        return burst.last.join();
    }

    /** Waits for all entries of one call. */
    private static final class Burst implements LedgerWriter.AppendListener {
        private final CompletableFuture<Long> last = new CompletableFuture<>();
        private int left;

        Burst(int count) {
            left = count;
        }

        @Override
        public void appended(long entryId) {
            if (--left == 0) {
                last.complete(entryId);
            }
        }

        @Override
        public void failed(LedgerException failure) {
            last.completeExceptionally(failure);
        }
    }
}
