// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire;

import com.google.flatbuffers.FlatBufferBuilder;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.generated.ErrorTable;
import io.daybook.protocol.wire.tables.WireShapes;
import io.netty.buffer.ByteBuf;

/**
 * Why the sender is about to close the link: {@link MessageType#ERROR}. A prefix and a table.
 *
 * @param text one line for people; cut to 1,024 characters
 */
public record ErrorMessage(StatusCode status, String text) {
    /** Writes the whole frame. */
    public void write(ByteBuf out) {
        FlatBufferBuilder builder = new FlatBufferBuilder(256);
        int textAt = builder.createString(WireBytes.cut(text));
        ErrorTable.startErrorTable(builder);
        ErrorTable.addStatus(builder, status.number());
        ErrorTable.addText(builder, textAt);
        builder.finish(ErrorTable.endErrorTable(builder), WireShapes.ERROR.identifier());
        WireBytes.writeTable(out, MessageType.ERROR, builder);
    }

    /** Reads the whole frame; throws {@link BadFrameException}. */
    public static ErrorMessage read(ByteBuf frame) {
        ErrorTable table =
                ErrorTable.getRootAsErrorTable(WireBytes.readTable(frame, MessageType.ERROR, WireShapes.ERROR));
        return new ErrorMessage(StatusCode.of(table.status()), WireBytes.cut(table.text()));
    }
}
