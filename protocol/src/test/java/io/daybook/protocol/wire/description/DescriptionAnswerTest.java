// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.ErrorMessage;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.generated.DescribeRequestHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A description arrives as it was sent; whatever else arrives is refused. */
final class DescriptionAnswerTest {
    private static final int MUTANTS = 100_000;

    private static final BookieDescription FULL = new BookieDescription(
            "1.0",
            2,
            List.of(BookieDescription.ReadOnly.FORCED, "newer"),
            List.of("log 2a is missing", "ä"),
            List.of(
                    new BookieDescription.Directory("data-0", "/a", "roomy", 3, 4),
                    new BookieDescription.Directory("journal-0", "/b", "", -1, -1)),
            List.of(new BookieDescription.Journal(3, 1, 5)),
            new BookieDescription.Logs(6, 7, 8, 9),
            new BookieDescription.Ledgers(10, 11, 12),
            new BookieDescription.Index(13, 14, 15),
            new BookieDescription.Scrub(16, 17, 18),
            new BookieDescription.Cleanup(19, "idle", 20, 21, 22, 23, 24, "no space"));

    private static BookieDescription with(List<String> problems, List<BookieDescription.Directory> directories) {
        return new BookieDescription(
                FULL.version(),
                FULL.startedMillis(),
                List.of(),
                problems,
                directories,
                List.of(),
                FULL.logs(),
                FULL.ledgers(),
                FULL.index(),
                FULL.scrub(),
                FULL.cleanup());
    }

    private static ByteBuf written(Consumer<ByteBuf> message) {
        ByteBuf frame = Unpooled.buffer();
        message.accept(frame);
        return frame;
    }

    @Test
    void descriptionAndQuestionAreReadBack() {
        DescriptionAnswer answer = new DescriptionAnswer(-7, FULL);
        ByteBuf question = written(new DescribeRequest(-7)::write);

        assertThat(DescriptionAnswer.read(written(answer::write))).isEqualTo(answer);
        assertThat(DescribeRequest.read(question)).isEqualTo(new DescribeRequest(-7));
        assertThat(MessageType.of(written(answer::write))).isEqualTo(MessageType.DESCRIPTION);
        assertThat(MessageType.of(question)).isEqualTo(MessageType.DESCRIBE);
    }

    @Test
    void theQuestionIsTheStructOfTheSchema() {
        ByteBuf frame = written(new DescribeRequest(Long.MIN_VALUE + 5)::write);

        ByteBuffer bytes = ByteBuffer.wrap(ByteBufUtil.getBytes(frame)).order(ByteOrder.LITTLE_ENDIAN);
        DescribeRequestHeader struct = new DescribeRequestHeader().__assign(MessageType.PREFIX_BYTES, bytes);

        assertThat(frame.writerIndex()).isEqualTo(DescribeRequest.FRAME_BYTES);
        assertThat(struct.requestId()).isEqualTo(Long.MIN_VALUE + 5);
    }

    @Test
    void whatIsTooLongOrTooManyIsCutSoThatItFitsIntoAFrame() {
        String text = "ä".repeat(5_000);
        BookieDescription.Directory directory = new BookieDescription.Directory(text, text, text, 1, 2);

        DescriptionAnswer read = DescriptionAnswer.read(written(new DescriptionAnswer(
                1, with(Collections.nCopies(500, text), Collections.nCopies(500, directory)))::write));

        assertThat(read.description().problems())
                .hasSize(BookieDescription.PROBLEMS_MAX)
                .containsOnly("ä".repeat(1_024));
        assertThat(read.description().directories()).hasSize(BookieDescription.DIRECTORIES_MAX);
    }

    @Test
    void otherFramesAreRefused() {
        ByteBuf error = written(new ErrorMessage(StatusCode.BUSY, "x")::write);

        assertThatThrownBy(() -> DescriptionAnswer.read(error)).isInstanceOf(BadFrameException.class);
        assertThatThrownBy(() -> DescribeRequest.read(error)).isInstanceOf(BadFrameException.class);
    }

    @Test
    void mutantsAreReadOrRefused() {
        byte[] good = ByteBufUtil.getBytes(written(new DescriptionAnswer(1, FULL)::write));
        Random random = new Random(4);
        int refused = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] bytes = good.clone();
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            try {
                DescriptionAnswer.read(Unpooled.wrappedBuffer(bytes, 0, length));
            } catch (BadFrameException expected) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(MUTANTS / 4);
    }
}
