// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

import io.daybook.protocol.wire.tables.FieldShape.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The check that foreign bytes are a sound FlatBuffers table of a given shape, so that no accessor afterwards leaves the buffer or throws.
 *
 * <p>A buffer as a builder writes it reaches each of its bytes at most once (tables of fields apart), so the bytes visited are bounded by the size
 * of the buffer: shared or nested parts cannot make the work explode. Depth is bounded too.
 */
public final class FlatBufferVerifier {
    private static final int DEPTH_MAX = 8;
    private static final int IDENTIFIER_AT = 4;
    private static final int TABLE_AFTER = 8;

    /** Accessors read entries of a table of fields as signed 16-bit numbers. */
    private static final int FIELD_OFFSET_MAX = Short.MAX_VALUE;

    private final ByteBuffer buffer;
    private final int size;
    private long visited;

    private FlatBufferVerifier(ByteBuffer buffer) {
        this.buffer = buffer;
        this.size = buffer.limit();
    }

    /**
     * The bytes from position to limit as a buffer that the accessors of {@code shape} may read; throws {@link BadTableException} and nothing else.
     * The argument is not changed.
     */
    public static ByteBuffer verified(ByteBuffer bytes, TableShape shape) {
        ByteBuffer buffer = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        FlatBufferVerifier verifier = new FlatBufferVerifier(buffer);
        check(buffer.limit() >= TABLE_AFTER, "too short");
        for (int i = 0; i < shape.identifier().length(); i++) {
            check(buffer.get(IDENTIFIER_AT + i) == shape.identifier().charAt(i), "of another kind");
        }
        verifier.visit(TABLE_AFTER);
        verifier.table(verifier.target(0), shape, 0);
        return buffer;
    }

    private static void check(boolean condition, String wrong) {
        if (!condition) {
            throw new BadTableException("the table is " + wrong);
        }
    }

    private void table(int at, TableShape shape, int depth) {
        check(depth < DEPTH_MAX, "nested too deep");
        requireRange(at, Integer.BYTES);
        long fieldsAt = (long) at - buffer.getInt(at);
        check(fieldsAt % Short.BYTES == 0, "misaligned");
        requireRange(fieldsAt, 2 * Short.BYTES);
        int fieldsBytes = unsignedShort((int) fieldsAt);
        int tableBytes = unsignedShort((int) fieldsAt + Short.BYTES);
        check(fieldsBytes >= 2 * Short.BYTES && fieldsBytes % Short.BYTES == 0, "without a list of fields");
        check(fieldsBytes <= FIELD_OFFSET_MAX && tableBytes <= FIELD_OFFSET_MAX, "too large");
        requireRange(fieldsAt, fieldsBytes);
        check(tableBytes >= Integer.BYTES, "cut");
        requireRange(at, tableBytes);
        visit(tableBytes);

        for (int i = 0; i < shape.fields().size(); i++) {
            FieldShape field = shape.fields().get(i);
            int slot = 2 * Short.BYTES + i * Short.BYTES;
            int offset = slot + Short.BYTES <= fieldsBytes ? unsignedShort((int) fieldsAt + slot) : 0;
            if (offset == 0) {
                check(!field.isRequired(), "incomplete");
            } else {
                check(offset >= Integer.BYTES && offset + field.bytesInTable() <= tableBytes, "cut");
                int align = field.kind() == Kind.INLINE ? field.align() : Integer.BYTES;
                check((at + offset) % align == 0, "misaligned");
                field(at + offset, field, depth);
            }
        }
    }

    private void field(int at, FieldShape field, int depth) {
        if (field.kind() == Kind.INLINE) {
            return;
        }
        int target = target(at);
        switch (field.kind()) {
            case TEXT -> text(target);
            case TABLE -> table(target, field.inner(), depth + 1);
            case INLINE_LIST -> list(target, field.size(), field.align());
            case TEXT_LIST -> {
                int count = list(target, Integer.BYTES, Integer.BYTES);
                for (int i = 0; i < count; i++) {
                    text(target(target + Integer.BYTES + i * Integer.BYTES));
                }
            }
            case TABLE_LIST -> {
                int count = list(target, Integer.BYTES, Integer.BYTES);
                for (int i = 0; i < count; i++) {
                    table(target(target + Integer.BYTES + i * Integer.BYTES), field.inner(), depth + 1);
                }
            }
            default -> throw new BadTableException("the table has a field of an unknown kind");
        }
    }

    /** Checks a list of {@code elementBytes} each and returns its count. */
    private int list(int at, int elementBytes, int align) {
        requireRange(at, Integer.BYTES);
        int count = buffer.getInt(at);
        check(count >= 0, "of a negative length");
        long bytes = Integer.BYTES + (long) count * elementBytes;
        requireRange(at, bytes);
        check(count == 0 || (at + Integer.BYTES) % align == 0, "misaligned");
        visit(bytes);
        return count;
    }

    private void text(int at) {
        int length = list(at, 1, 1);
        int first = at + Integer.BYTES;
        requireRange(first, (long) length + 1);
        check(buffer.get(first + length) == 0, "holding a string without end");
        try {
            StandardCharsets.UTF_8.newDecoder().decode(buffer.slice(first, length));
        } catch (CharacterCodingException malformed) {
            throw new BadTableException("the table is holding a string that is not UTF-8");
        }
    }

    /** Where the offset that stands at {@code at} leads to: a later, aligned position inside the buffer. */
    private int target(int at) {
        requireRange(at, Integer.BYTES);
        check(at % Integer.BYTES == 0, "misaligned");
        int offset = buffer.getInt(at);
        check(offset > 0 && offset % Integer.BYTES == 0, "pointing nowhere");
        long target = (long) at + offset;
        requireRange(target, Integer.BYTES);
        return (int) target;
    }

    private int unsignedShort(int at) {
        return Short.toUnsignedInt(buffer.getShort(at));
    }

    private void requireRange(long at, long bytes) {
        check(at >= 0 && bytes <= size - at, "pointing outside");
    }

    private void visit(long bytes) {
        visited += bytes;
        check(visited <= size, "using bytes twice");
    }
}
