// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

import java.util.List;

/**
 * Files and directories with explicit durability. Paths are relative to the disk's root, with {@code /} between names; the empty path is the root.
 *
 * <p>Nothing is durable until the call that makes it so returned: bytes and sizes after {@link DiskFile#sync}, names (created, renamed, deleted)
 * after {@link #syncDirectory} of their parent. After a failed sync of a file nothing written to it since its last successful sync may be believed.
 *
 * <p><i>Threading:</i> calls block; a machine calls them on the loop that may block (storage, read, or core loop for the journal). One file may be
 * read from several loops at once; writes to one file come from one loop. Every method throws {@link DiskException}.
 */
public interface Disk {
    /** How {@link #open} opens a file. */
    enum OpenMode {
        /** Fails with {@link DiskException.Kind#EXISTS} when the name is taken. */
        CREATE_NEW,
        /** The file must exist; {@link DiskException.Kind#NOT_FOUND} otherwise. */
        READ_WRITE,
        /** As {@link #READ_WRITE}; every write is on the device when it returns and bypasses the page cache where the file system can: positions, lengths and buffers are multiples of {@link #blockBytes()}, or {@link IllegalArgumentException}. */
        READ_WRITE_DURABLE,
        /** The file must exist; writes are refused. */
        READ_ONLY
    }

    /** Opens a file. */
    DiskFile open(String path, OpenMode mode);

    /** Whether a file or directory of that name exists; fails when that cannot be told. */
    boolean exists(String path);

    /** The names (not paths) in a directory, sorted; empty for an empty directory, {@link DiskException.Kind#NOT_FOUND} when it is missing. */
    List<String> list(String directory);

    /** Creates a directory and its missing parents and makes them durable. Does nothing when it exists. */
    void createDirectories(String directory);

    /** Replaces {@code to} by {@code from} atomically, within one directory. */
    void rename(String from, String to);

    /** Removes a file; {@link DiskException.Kind#NOT_FOUND} when it is missing. */
    void delete(String path);

    /** Makes the names in a directory durable. */
    void syncDirectory(String directory);

    /** Bytes that can still be written below this directory. */
    long usableBytes(String directory);

    /** Bytes of the device of this directory, used or not. */
    long totalBytes(String directory);

    /** The alignment that {@link OpenMode#READ_WRITE_DURABLE} needs, in bytes: a power of two. */
    int blockBytes();

    /**
     * Takes the directory for this process until {@link DirectoryLock#close}; {@link DiskException.Kind#LOCKED} when another live process (or
     * another owner in this one) holds it. A crashed holder holds nothing.
     */
    DirectoryLock lock(String directory);

    /** A directory held by this process. */
    interface DirectoryLock extends AutoCloseable {
        /**
         * Names this lock among all locks of the running machine; empty when that cannot be told. Only one process at a time holds the lock of a
         * place: whoever held it before holds it no more, and a copy of the directory is another place.
         */
        String place();

        @Override
        void close();
    }
}
