// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.micro;

import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.ErrorMessage;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.ReadAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of writing and reading the frames of the append and the read path, in a direct buffer that is there already. The frames of an
 * {@link ErrorMessage} are the counterpart: a table made by a new builder, as control messages are. Run with {@code -prof gc}: the hot frames take no
 * memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FrameCodecBenchmark {
    private static final int ENTRY_BYTES = EntryLayout.HEADER_BYTES + Integer.BYTES + 1024;
    private static final int ENTRIES_OF_ANSWER = 16;
    private static final long LEDGER_ID = 7;

    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(64 * 1024);
    private final ByteBuf add = addFrame();
    private final ByteBuf ack = ackFrame();
    private final ByteBuf answer = answerFrame();
    private final ByteBuf error = errorFrame();
    private long entryId;

    private static ByteBuf addFrame() {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer();
        AddRequest.write(frame, LEDGER_ID, 12, AddRequest.handleAndFlags(3, 0), 1_000);
        writeEntry(frame, 12);
        return frame;
    }

    private static void writeEntry(ByteBuf frame, long entryId) {
        EntryLayout.writeHeader(frame, LEDGER_ID, entryId, entryId - 1, entryId * 1024);
        frame.writeZero(ENTRY_BYTES - EntryLayout.HEADER_BYTES);
    }

    private static ByteBuf ackFrame() {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer();
        new AddAck(LEDGER_ID, 12, 64, 3, 0, StatusCode.OK).write(frame);
        return frame;
    }

    private static ByteBuf answerFrame() {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer();
        new ReadAnswer(5, LEDGER_ID, 100, 200, ENTRIES_OF_ANSWER, StatusCode.OK, 0).write(frame);
        for (int i = 0; i < ENTRIES_OF_ANSWER; i++) {
            frame.writeIntLE(ENTRY_BYTES);
            writeEntry(frame, 100 + i);
        }
        return frame;
    }

    private static ByteBuf errorFrame() {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer();
        new ErrorMessage(StatusCode.BAD_REQUEST, "no").write(frame);
        return frame;
    }

    /** Gives the buffers back. */
    @TearDown
    public void release() {
        out.release();
        add.release();
        ack.release();
        answer.release();
        error.release();
    }

    /** The header of an add and the header of its entry. */
    @Benchmark
    public int writeAdd() {
        out.clear();
        entryId++;
        AddRequest.write(out, LEDGER_ID, entryId, AddRequest.handleAndFlags(3, 0), 1_000);
        EntryLayout.writeHeader(out, LEDGER_ID, entryId, entryId - 1, entryId * 1024);
        return out.writerIndex();
    }

    /** What a bookie does with the head of an add before it stages the entry. */
    @Benchmark
    public long readAdd() {
        MessageType type = MessageType.of(add);
        AddRequest.check(add);
        return (type == MessageType.ADD ? 1 : 0)
                + AddRequest.ledgerId(add)
                + AddRequest.entryId(add)
                + AddRequest.handle(add)
                + AddRequest.flags(add);
    }

    /** The acknowledgement of 64 adds. */
    @Benchmark
    public int writeAddAck() {
        out.clear();
        new AddAck(LEDGER_ID, ++entryId, 64, 3, 0, StatusCode.OK).write(out);
        return out.writerIndex();
    }

    /** The acknowledgement of 64 adds. */
    @Benchmark
    public long readAddAck() {
        AddAck read = AddAck.read(ack);
        return read.firstEntryId() + read.count() + read.handle();
    }

    /** The header of an answer and the check of its 16 entries of 1 KiB. */
    @Benchmark
    public long readReadAnswer() {
        ReadAnswer read = ReadAnswer.read(answer);
        return read.firstEntryId() + read.count();
    }

    /** Counterpart: a table by a new builder, copied into the frame. */
    @Benchmark
    public int writeTableByNewBuilder() {
        out.clear();
        new ErrorMessage(StatusCode.BAD_REQUEST, "no").write(out);
        return out.writerIndex();
    }

    /** Counterpart: a table that is copied out of the frame, verified and read into a record. */
    @Benchmark
    public int readVerifiedTable() {
        return ErrorMessage.read(error).text().length();
    }
}
