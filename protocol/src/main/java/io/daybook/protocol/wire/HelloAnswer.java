// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.generated.HelloAnswerTable;
import io.daybook.protocol.wire.generated.Id128;
import io.daybook.protocol.wire.tables.WireShapes;
import io.netty.buffer.ByteBuf;

/**
 * Answer to a hello: {@link MessageType#HELLO_ANSWER}. A prefix and a table. After any other status than {@link StatusCode#OK} the sender closes the
 * link.
 *
 * @param version the protocol version that both ends speak from now on; 0 after a refusal
 * @param features the bits of the hello that are in use on this link
 * @param bookieId who answers
 * @param entryBytesMax bytes of the largest whole entry that this bookie takes
 * @param text why the hello is refused, for people; cut to 1,024 characters
 */
public record HelloAnswer(
        StatusCode status, int version, long features, BookieId bookieId, int entryBytesMax, String text) {
    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int textAt = builder.createString(WireBytes.cut(text));
        HelloAnswerTable.startHelloAnswerTable(builder);
        HelloAnswerTable.addStatus(builder, status.number());
        HelloAnswerTable.addVersion(builder, version);
        HelloAnswerTable.addFeatures(builder, features);
        HelloAnswerTable.addBookieId(builder, Id128.createId128(builder, bookieId.high(), bookieId.low()));
        HelloAnswerTable.addEntryBytesMax(builder, entryBytesMax);
        HelloAnswerTable.addText(builder, textAt);
        builder.finish(HelloAnswerTable.endHelloAnswerTable(builder), WireShapes.HELLO_ANSWER.identifier());
        WireBytes.writeTable(out, MessageType.HELLO_ANSWER, builder);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static HelloAnswer read(ByteBuf frame) {
        HelloAnswerTable table = HelloAnswerTable.getRootAsHelloAnswerTable(
                WireBytes.readTable(frame, MessageType.HELLO_ANSWER, WireShapes.HELLO_ANSWER));
        Id128 bookie = table.bookieId();
        HelloAnswer answer = new HelloAnswer(
                StatusCode.of(table.status()),
                table.version(),
                table.features(),
                new BookieId(bookie.high(), bookie.low()),
                table.entryBytesMax(),
                WireBytes.cut(table.text()));
        boolean accepted = answer.status == StatusCode.OK;
        if (answer.version < (accepted ? 1 : 0) || answer.entryBytesMax < 0) {
            throw new BadFrameException("an answer to a hello with protocol version " + answer.version
                    + " for entries of " + answer.entryBytesMax + " bytes");
        }
        return answer;
    }
}
