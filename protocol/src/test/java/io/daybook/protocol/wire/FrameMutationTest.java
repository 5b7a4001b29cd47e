// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever bytes arrive, reading a frame gives a message or {@link BadFrameException}, and nothing else. */
final class FrameMutationTest {
    private static final int MUTANTS = 100_000;

    private static final Hello HELLO = new Hello(
            1,
            3,
            0x8000_0000_0000_0001L,
            new ClusterId(1, -1),
            new BookieId(-2, 2),
            LinkKind.APPEND,
            "client \u00e4\ud83d\ude00");
    private static final HelloAnswer ANSWER = new HelloAnswer(StatusCode.OK, 2, 5, new BookieId(3, 4), 2_000_000, "");
    private static final ErrorMessage ERROR = new ErrorMessage(StatusCode.BAD_REQUEST, "an add names other ids");

    private static ByteBuf written(Consumer<ByteBuf> message) {
        ByteBuf frame = Unpooled.buffer();
        message.accept(frame);
        return frame;
    }

    @Test
    void controlMessagesAreReadBack() {
        assertThat(Hello.read(written(HELLO::write))).isEqualTo(HELLO);
        assertThat(HelloAnswer.read(written(ANSWER::write))).isEqualTo(ANSWER);
        assertThat(ErrorMessage.read(written(ERROR::write))).isEqualTo(ERROR);
        assertThat(MessageType.of(written(HELLO::write))).isEqualTo(MessageType.HELLO);
        assertThat(MessageType.of(written(ANSWER::write))).isEqualTo(MessageType.HELLO_ANSWER);
        assertThat(MessageType.of(written(ERROR::write))).isEqualTo(MessageType.ERROR);
    }

    @Test
    void controlMessagesAreReadFromTheMiddleOfABuffer() {
        ByteBuf buffer = Unpooled.directBuffer().writeZero(3);
        HELLO.write(buffer);
        buffer.skipBytes(3);

        assertThat(Hello.read(buffer)).isEqualTo(HELLO);
        assertThat(buffer.readerIndex()).isEqualTo(3);
        buffer.release();
    }

    @Test
    void longTextIsCutByItsSenderBetweenCharacters() {
        String text = "x".repeat(1_023) + "\ud83d\ude00" + "y".repeat(100_000);

        ErrorMessage read = ErrorMessage.read(written(new ErrorMessage(StatusCode.BUSY, text)::write));

        assertThat(read.text()).isEqualTo("x".repeat(1_023));
    }

    @Test
    void messageThatMakesNoSenseIsRefused() {
        Hello noVersion = new Hello(3, 2, 0, HELLO.clusterId(), HELLO.expectedBookie(), LinkKind.OTHER, "");
        HelloAnswer noSize = new HelloAnswer(StatusCode.OK, 1, 0, ANSWER.bookieId(), -1, "");

        assertThatThrownBy(() -> Hello.read(written(noVersion::write))).isInstanceOf(BadFrameException.class);
        assertThatThrownBy(() -> HelloAnswer.read(written(noSize::write))).isInstanceOf(BadFrameException.class);
        assertThatThrownBy(() -> Hello.read(written(ANSWER::write))).isInstanceOf(BadFrameException.class);
        assertThatThrownBy(() -> ErrorMessage.read(Unpooled.buffer().writeZero(100_000)))
                .isInstanceOf(BadFrameException.class);
    }

    @Test
    void mutantsOfControlMessagesAreReadOrRefused() {
        int refused = survive(written(HELLO::write), Hello::read, 1)
                + survive(written(ANSWER::write), HelloAnswer::read, 2)
                + survive(written(ERROR::write), ErrorMessage::read, 3);

        assertThat(refused).isGreaterThan(MUTANTS);
    }

    @Test
    void mutantsOfHotMessagesAreReadOrRefused() {
        List<ByteBuf> frames = new ArrayList<>();
        List<Consumer<ByteBuf>> readers = new ArrayList<>();
        frames.add(written(new AddAck(1, 2, 3, 4, 5, StatusCode.OK)::write));
        readers.add(AddAck::read);
        frames.add(written(new ReadRequest(1, 2, 3, 4, 5, 6, 7, 8)::write));
        readers.add(ReadRequest::read);
        frames.add(written(new FenceRequest(1, 2, 3, 4)::write));
        readers.add(FenceRequest::read);
        frames.add(written(new FenceAnswer(1, 2, 3, 4, StatusCode.FENCED)::write));
        readers.add(FenceAnswer::read);
        frames.add(written(new PublishRequest(1, 2, 3, 4)::write));
        readers.add(PublishRequest::read);
        frames.add(written(new PublishAck(1, 2, StatusCode.OK)::write));
        readers.add(PublishAck::read);
        frames.add(written(new AddRequest.Force(1)::write));
        readers.add(AddRequest.Force::read);
        frames.add(written(out -> {
            AddRequest.write(out, 7, 8, 9, 10);
            EntryLayout.writeHeader(out, 7, 8, 6, 100);
        }));
        readers.add(AddRequest::check);
        frames.add(written(FrameMutationTest::writeReadAnswer));
        readers.add(ReadAnswer::read);

        for (int i = 0; i < frames.size(); i++) {
            readers.get(i).accept(frames.get(i));
            assertThat(survive(frames.get(i), readers.get(i), 10 + i)).isPositive();
        }
    }

    private static void writeReadAnswer(ByteBuf out) {
        new ReadAnswer(1, 7, 8, 9, 3, StatusCode.OK, 0).write(out);
        for (int i = 0; i < 3; i++) {
            out.writeIntLE(EntryLayout.HEADER_BYTES + 4 + i);
            EntryLayout.writeHeader(out, 7, 8 + i, 7, 100);
            out.writeZero(4 + i);
        }
    }

    /** Reads many mutants; returns how many were refused. Fails by whatever else is thrown. */
    private static int survive(ByteBuf frame, Consumer<ByteBuf> reader, long seed) {
        byte[] good = ByteBufUtil.getBytes(frame);
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < MUTANTS; i++) {
            ByteBuf mutant = mutant(good, random);
            try {
                reader.accept(mutant);
            } catch (BadFrameException expected) {
                refused++;
            }
        }
        return refused;
    }

    private static ByteBuf mutant(byte[] good, Random random) {
        byte[] bytes = good.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            bytes[at] =
                    random.nextInt(3) == 0 ? (byte) random.nextInt(256) : (byte) (bytes[at] ^ 1 << random.nextInt(8));
        }
        int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
        return Unpooled.wrappedBuffer(bytes, 0, length);
    }
}
