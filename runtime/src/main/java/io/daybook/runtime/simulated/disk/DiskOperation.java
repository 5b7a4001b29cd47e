// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.disk;

import java.nio.ByteBuffer;

/** One change of a {@link DiskImage}. Files are meant by number, because names change. */
public sealed interface DiskOperation {
    /** Makes the change. */
    void applyTo(DiskImage image);

    /** A directory is made, durable at once. */
    record CreateDirectories(String path) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.createDirectories(path);
        }
    }

    /** An empty file gets the next number and a name. */
    record Create(String path) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.create(path);
        }
    }

    /** A file changes its name. */
    record Rename(String from, String to) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.rename(from, to);
        }
    }

    /** A file loses its name. */
    record Delete(String path) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.delete(path);
        }
    }

    /** The names in a directory become durable. */
    record SyncDirectory(String path) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.syncDirectory(path);
        }
    }

    /** Bytes are written; the buffer is the operation's own. */
    record Write(long fileId, long position, ByteBuffer bytes) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.write(fileId, position, bytes);
        }
    }

    /** The size is changed. */
    record Truncate(long fileId, long sizeBytes) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.truncate(fileId, sizeBytes);
        }
    }

    /** Changes of a file up to a sequence number become durable. */
    record Persist(long fileId, long sequence) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.persist(fileId, sequence);
        }
    }

    /** Changes of a file up to a sequence number failed to become durable and are forgotten; {@code seed} draws what reached the device. */
    record Forget(long fileId, long sequence, long seed) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.forget(fileId, sequence, seed);
        }
    }

    /** Bits of a byte rot, on the device and in what reads see. */
    record Rot(long fileId, long position, int mask) implements DiskOperation {
        @Override
        public void applyTo(DiskImage image) {
            image.rot(fileId, position, mask);
        }
    }
}
