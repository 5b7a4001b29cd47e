// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.micro;

import io.daybook.protocol.EntryDigest;
import io.daybook.protocol.EntryLayout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of computing and of checking the end-to-end digest of one entry. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EntryDigestBenchmark {
    /** Bytes of payload. */
    @Param({"100", "1024", "10240"})
    public int payloadBytes;

    private final EntryDigest crc = EntryDigest.crc32c();
    private final EntryDigest hmac =
            EntryDigest.hmacSha256(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    private final ByteBuf crcEntry = PooledByteBufAllocator.DEFAULT.directBuffer();
    private final ByteBuf hmacEntry = PooledByteBufAllocator.DEFAULT.directBuffer();

    /** Writes the entries whose digests are computed. */
    @Setup
    public void fill() {
        fill(crcEntry, crc);
        fill(hmacEntry, hmac);
    }

    private void fill(ByteBuf entry, EntryDigest digest) {
        entry.clear();
        EntryLayout.writeHeader(entry, 7, 12, 11, 12L * payloadBytes);
        entry.writeZero(digest.bytes());
        for (int i = 0; i < payloadBytes; i++) {
            entry.writeByte(i * 31);
        }
        digest.write(entry, 0);
    }

    /** Gives the buffers back. */
    @TearDown
    public void release() {
        crcEntry.release();
        hmacEntry.release();
    }

    /** CRC-32C, by a writer. */
    @Benchmark
    public int writeCrc32c() {
        crc.write(crcEntry, 0);
        return crcEntry.getIntLE(EntryLayout.HEADER_BYTES);
    }

    /** CRC-32C, by a reader. */
    @Benchmark
    public boolean verifyCrc32c() {
        return crc.verify(crcEntry);
    }

    /** HMAC-SHA-256, by a reader. */
    @Benchmark
    public boolean verifyHmacSha256() {
        return hmac.verify(hmacEntry);
    }
}
