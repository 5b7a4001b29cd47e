// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import java.nio.ByteBuffer;

/** An open file of a {@link Disk}. Positions and sizes are in bytes. */
public interface DiskFile extends AutoCloseable {
    /** The path it was opened by. */
    String path();

    /** Reads from {@code position} until the target is full or the file ends; returns the bytes read, 0 at or past the end. */
    int read(long position, ByteBuffer target);

    /** Writes all remaining bytes of the source at {@code position}; they become durable with {@link #sync} (at once in durable mode). */
    void write(long position, ByteBuffer source);

    /**
     * Writes all remaining bytes at {@code position} and makes them durable, then completes on {@code loop} (the loop of the caller): either inside
     * this call or later, in the order of the calls. The caller leaves the source alone until then.
     */
    void commit(long position, ByteBuffer source, EventLoop loop, CommitHandler handler);

    /** Makes all bytes written so far, and the size, durable. */
    void sync();

    /** Cuts or extends (with zeros) the file. */
    void truncate(long sizeBytes);

    /** The present size. */
    long size();

    /** Releases the file without syncing it. Idempotent. */
    @Override
    void close();

    /** Told how a {@link #commit} ended. */
    interface CommitHandler {
        /** The bytes are durable. */
        void committed();

        /** Nothing may be assumed of the bytes; the file must not be written any more. */
        void failed(DiskException failure);
    }
}
