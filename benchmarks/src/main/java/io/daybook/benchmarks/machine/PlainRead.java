// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Files read from beginning to end, one after the other, with nothing above the file system: what the device gives at best to somebody who reads in order.
 *
 * @param bytes of all files
 * @param nanos that it took
 * @param isFromDevice whether the page cache was passed by; where the file system cannot do that it may have helped
 */
public record PlainRead(long bytes, long nanos, boolean isFromDevice) {
    private static final int UNIT_BYTES = 1024 * 1024;
    private static final int ALIGNMENT = 4096;

    /** Reads them now, a mebibyte at a time, past the page cache where that is possible. Throws {@link UncheckedIOException}. */
    public static PlainRead of(List<Path> files) {
        ByteBuffer unit = ByteBuffer.allocateDirect(UNIT_BYTES + ALIGNMENT)
                .alignedSlice(ALIGNMENT)
                .limit(UNIT_BYTES)
                .slice();
        boolean isDirect = files.stream().allMatch(file -> canBeReadDirect(file, unit));
        long bytes = 0;
        long begun = System.nanoTime();
        for (Path file : files) {
            try (FileChannel channel = open(file, isDirect)) {
                bytes += readAll(channel, unit);
            } catch (IOException failure) {
                throw new UncheckedIOException("cannot read " + file, failure);
            }
        }
        return new PlainRead(bytes, System.nanoTime() - begun, isDirect);
    }

    private static FileChannel open(Path file, boolean isDirect) throws IOException {
        return isDirect
                ? FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)
                : FileChannel.open(file, StandardOpenOption.READ);
    }

    /** Some file systems open such a file and refuse to read it; the end of one that has no whole block left cannot be read everywhere. */
    private static boolean canBeReadDirect(Path file, ByteBuffer unit) {
        try (FileChannel channel = open(file, true)) {
            channel.read(unit.clear(), 0);
            return Files.size(file) % ALIGNMENT == 0;
        } catch (IOException | UnsupportedOperationException refused) {
            return false;
        }
    }

    private static long readAll(FileChannel channel, ByteBuffer unit) throws IOException {
        long bytes = 0;
        int read = channel.read(unit.clear());
        while (read >= 0) {
            bytes += read;
            read = channel.read(unit.clear());
        }
        return bytes;
    }

    /** In units of a million bytes. */
    public double megabytesPerSecond() {
        return bytes * 1e3 / Math.max(1, nanos);
    }
}
