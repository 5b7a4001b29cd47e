// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.generated.AddAckHeader;
import io.daybook.protocol.wire.generated.AddRequestHeader;
import io.daybook.protocol.wire.generated.EntryHeader;
import io.daybook.protocol.wire.generated.FenceAnswerHeader;
import io.daybook.protocol.wire.generated.FenceRequestHeader;
import io.daybook.protocol.wire.generated.ForceRequestHeader;
import io.daybook.protocol.wire.generated.PublishAckHeader;
import io.daybook.protocol.wire.generated.PublishRequestHeader;
import io.daybook.protocol.wire.generated.ReadAnswerHeader;
import io.daybook.protocol.wire.generated.ReadRequestHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** The layouts written by hand are those of the structs in the schema. */
final class StructLayoutTest {
    private static final int PREFIX = MessageType.PREFIX_BYTES;

    /** A buffer for the accessors of a struct, which begin at {@link #PREFIX}; the struct must fill the frame to its end. */
    private static ByteBuffer bytes(ByteBuf frame) {
        return ByteBuffer.wrap(ByteBufUtil.getBytes(frame)).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Property
    void entryHeader(@ForAll long ledgerId, @ForAll long entryId, @ForAll long confirmed, @ForAll long length) {
        ByteBuf entry = Unpooled.buffer();
        EntryLayout.writeHeader(entry, ledgerId, entryId, confirmed, length);

        EntryHeader struct = new EntryHeader().__assign(0, bytes(entry));

        assertThat(entry.writerIndex()).isEqualTo(EntryLayout.HEADER_BYTES);
        assertThat(struct.ledgerId()).isEqualTo(ledgerId).isEqualTo(EntryLayout.ledgerId(entry, 0));
        assertThat(struct.entryId()).isEqualTo(entryId).isEqualTo(EntryLayout.entryId(entry, 0));
        assertThat(struct.lastAddConfirmed()).isEqualTo(confirmed).isEqualTo(EntryLayout.lastAddConfirmed(entry, 0));
        assertThat(struct.lengthBytes()).isEqualTo(length).isEqualTo(EntryLayout.lengthBytes(entry, 0));
    }

    @Property
    void addRequest(@ForAll long ledgerId, @ForAll long entryId, @ForAll int handle, @ForAll int flags) {
        ByteBuf frame = Unpooled.buffer();
        AddRequest.write(frame, ledgerId, entryId, AddRequest.handleAndFlags(handle, flags), 77);

        AddRequestHeader struct = new AddRequestHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(AddRequest.ENTRY_INDEX);
        assertThat(struct.ledgerId()).isEqualTo(ledgerId).isEqualTo(AddRequest.ledgerId(frame));
        assertThat(struct.entryId()).isEqualTo(entryId).isEqualTo(AddRequest.entryId(frame));
        assertThat(struct.handle()).isEqualTo(handle).isEqualTo(AddRequest.handle(frame));
        assertThat(struct.flags()).isEqualTo(flags).isEqualTo(AddRequest.flags(frame));
        assertThat(struct.timeoutMillis()).isEqualTo(77).isEqualTo(AddRequest.timeoutMillis(frame));
    }

    @Property
    void addAck(
            @ForAll long ledgerId,
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long entryId,
            @ForAll @IntRange(min = 1) int count,
            @ForAll int handle,
            @ForAll StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        AddAck ack = new AddAck(ledgerId, entryId, count, handle, ~handle & 0xffff, status);
        ack.write(frame);

        AddAckHeader struct = new AddAckHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(AddAck.FRAME_BYTES);
        assertThat(new AddAck(
                        struct.ledgerId(),
                        struct.firstEntryId(),
                        struct.count(),
                        struct.handle(),
                        struct.flags(),
                        StatusCode.of(struct.status())))
                .isEqualTo(ack)
                .isEqualTo(AddAck.read(frame));
    }

    @Property
    void readRequest(
            @ForAll long requestId,
            @ForAll @LongRange(min = 0) long ledgerId,
            @ForAll @LongRange(min = 0) long entryId,
            @ForAll @IntRange(min = 1, max = 10_000) int count,
            @ForAll int rest) {
        ByteBuf frame = Unpooled.buffer();
        ReadRequest request =
                new ReadRequest(requestId, ledgerId, entryId, count, rest & 0xf_ffff, rest, ~rest, rest ^ 5);
        request.write(frame);

        ReadRequestHeader struct = new ReadRequestHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(ReadRequest.FRAME_BYTES);
        assertThat(new ReadRequest(
                        struct.requestId(),
                        struct.ledgerId(),
                        struct.firstEntryId(),
                        struct.countMax(),
                        struct.bytesMax(),
                        struct.flags(),
                        struct.waitMillis(),
                        struct.timeoutMillis()))
                .isEqualTo(request)
                .isEqualTo(ReadRequest.read(frame));
    }

    @Property
    void readAnswer(
            @ForAll long requestId,
            @ForAll long ledgerId,
            @ForAll long entryId,
            @ForAll long confirmed,
            @ForAll StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        int flags = (int) requestId & 0xffff;
        ReadAnswer answer = new ReadAnswer(requestId, ledgerId, entryId, confirmed, 0, status, flags);
        answer.write(frame);

        ReadAnswerHeader struct = new ReadAnswerHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(ReadAnswer.ENTRIES_INDEX);
        assertThat(new ReadAnswer(
                        struct.requestId(),
                        struct.ledgerId(),
                        struct.firstEntryId(),
                        struct.lastAddConfirmed(),
                        struct.count(),
                        StatusCode.of(struct.status()),
                        struct.flags()))
                .isEqualTo(answer)
                .isEqualTo(ReadAnswer.read(frame));
        frame.setIntLE(ReadAnswer.COUNT_INDEX, 12_345);
        assertThat(new ReadAnswerHeader().__assign(PREFIX, bytes(frame)).count())
                .isEqualTo(12_345);
    }

    @Property
    void fence(
            @ForAll long requestId, @ForAll @LongRange(min = 0) long ledgerId, @ForAll int flags, @ForAll int timeout) {
        ByteBuf frame = Unpooled.buffer();
        FenceRequest request = new FenceRequest(requestId, ledgerId, flags, timeout);
        request.write(frame);

        FenceRequestHeader struct = new FenceRequestHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(FenceRequest.FRAME_BYTES);
        assertThat(new FenceRequest(struct.requestId(), struct.ledgerId(), struct.flags(), struct.timeoutMillis()))
                .isEqualTo(request)
                .isEqualTo(FenceRequest.read(frame));
    }

    @Property
    void fenceAnswer(
            @ForAll long requestId,
            @ForAll long ledgerId,
            @ForAll long confirmed,
            @ForAll long last,
            @ForAll StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        FenceAnswer answer = new FenceAnswer(requestId, ledgerId, confirmed, last, status);
        answer.write(frame);

        FenceAnswerHeader struct = new FenceAnswerHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(FenceAnswer.FRAME_BYTES);
        assertThat(new FenceAnswer(
                        struct.requestId(),
                        struct.ledgerId(),
                        struct.lastAddConfirmed(),
                        struct.lastEntryId(),
                        StatusCode.of(struct.status())))
                .isEqualTo(answer)
                .isEqualTo(FenceAnswer.read(frame));
    }

    @Property
    void forceRequest(@ForAll @LongRange(min = 0) long ledgerId) {
        ByteBuf frame = Unpooled.buffer();
        AddRequest.Force request = new AddRequest.Force(ledgerId);
        request.write(frame);

        ForceRequestHeader struct = new ForceRequestHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(AddRequest.Force.FRAME_BYTES);
        assertThat(new AddRequest.Force(struct.ledgerId())).isEqualTo(request).isEqualTo(AddRequest.Force.read(frame));
    }

    @Property
    void publish(
            @ForAll long requestId,
            @ForAll @LongRange(min = 0) long ledgerId,
            @ForAll @LongRange(min = 0) long confirmed,
            @ForAll int timeout) {
        ByteBuf frame = Unpooled.buffer();
        PublishRequest request = new PublishRequest(requestId, ledgerId, confirmed, timeout);
        request.write(frame);

        PublishRequestHeader struct = new PublishRequestHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(PublishRequest.FRAME_BYTES);
        assertThat(new PublishRequest(
                        struct.requestId(), struct.ledgerId(), struct.lastAddConfirmed(), struct.timeoutMillis()))
                .isEqualTo(request)
                .isEqualTo(PublishRequest.read(frame));
    }

    @Property
    void publishAck(@ForAll long requestId, @ForAll long ledgerId, @ForAll StatusCode status) {
        ByteBuf frame = Unpooled.buffer();
        PublishAck ack = new PublishAck(requestId, ledgerId, status);
        ack.write(frame);

        PublishAckHeader struct = new PublishAckHeader().__assign(PREFIX, bytes(frame));

        assertThat(frame.writerIndex()).isEqualTo(PublishAck.FRAME_BYTES);
        assertThat(new PublishAck(struct.requestId(), struct.ledgerId(), StatusCode.of(struct.status())))
                .isEqualTo(ack)
                .isEqualTo(PublishAck.read(frame));
    }
}
