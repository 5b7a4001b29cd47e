// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import io.daybook.bookie.disk.Checksum;
import io.daybook.bookie.disk.SmallFile;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of the index for which there is no room in memory, as long as the bookie runs. The file is made when the first page is written, is never synced, and
 * is removed when the bookie stops or starts: all that is in it comes from the index files.
 *
 * <p>Layout of a page (little-endian): CRC32C 4 of what follows, rows 4, position 8, first entry id 8, version 8, the rows: first entry id 8, log id and table row
 * 8, count and bytes 8. What was written elsewhere, for another page or before is thereby not taken for what was written last, although it is not damaged.
 *
 * <p><i>Threading:</i> blocks; one loop at a time.
 */
public final class PageFile implements AutoCloseable {
    /** The name of the file: one that is removed with the unfinished ones at a start. */
    public static final String NAME = "index-pages" + SmallFile.UNFINISHED_SUFFIX;

    private static final Logger LOG = LoggerFactory.getLogger(PageFile.class);
    private static final int HEADER_BYTES = 32;

    private final Disk disk;
    private final ByteBuffer page;
    private final Checksum checksum = new Checksum();
    private @Nullable DiskFile file;

    /** Of the file, as far as it was ever written. */
    private long bytes;

    private boolean isClosed;
    private boolean isRefusing;

    /** In the root of a disk. */
    public PageFile(Disk disk, int rowsMax) {
        this.disk = disk;
        this.page = ByteBuffer.allocateDirect(pageBytes(rowsMax)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Bytes of a page of so many rows. */
    static int pageBytes(int rowsMax) {
        return HEADER_BYTES + rowsMax * RunRows.ROW_BYTES;
    }

    /** Reads a page; throws {@link DiskException}. */
    public PageIo.Answer read(PageIo.Place place) {
        DiskFile opened = file;
        if (opened == null) {
            throw new DiskException(DiskException.Kind.NOT_FOUND, NAME + " is not there any more", null);
        }
        page.clear();
        opened.read(place.position(), page);
        page.flip();
        int rows = page.limit() < HEADER_BYTES ? -1 : page.getInt(4);
        boolean isSound = rows >= 0
                && rows <= (page.limit() - HEADER_BYTES) / RunRows.ROW_BYTES
                && page.getLong(8) == place.position()
                && page.getLong(16) == place.from()
                && page.getLong(24) == place.version()
                && page.getInt(0) == checksum.of(page, 4, pageBytes(rows) - 4);
        if (!isSound) {
            LOG.error(
                    "file={} position={} state=DAMAGED part of a ledger's index is not known until the next start, which"
                            + " makes it again: what is not found of that ledger is answered as unknown",
                    NAME,
                    place.position());
            return PageIo.Answer.DAMAGED;
        }
        return new PageIo.Answer(RunRows.read(page.position(HEADER_BYTES), rows), false);
    }

    /** Writes pages; throws {@link DiskException}. */
    public void write(List<PageIo.Image> images) {
        DiskFile opened = open();
        for (PageIo.Image image : images) {
            int pageBytes = pageBytes(image.rows().size());
            page.clear();
            page.putInt(4, image.rows().size());
            page.putLong(8, image.place().position());
            page.putLong(16, image.place().from());
            page.putLong(24, image.place().version());
            image.rows().write(page.position(HEADER_BYTES));
            page.putInt(0, checksum.of(page, 4, pageBytes - 4));
            opened.write(image.place().position(), page.position(0).limit(pageBytes));
            bytes = Math.max(bytes, end(image));
        }
    }

    private void requireRoom(List<PageIo.Image> images, long keptBytes) {
        long end = images.stream().mapToLong(PageFile::end).max().orElse(0);
        if (keptBytes > 0 && end > bytes && disk.usableBytes("") < keptBytes + end - bytes) {
            throw new DiskException(
                    DiskException.Kind.FULL, "the last " + keptBytes + " bytes of the device are kept back", null);
        }
    }

    private static long end(PageIo.Image image) {
        return image.place().position() + pageBytes(image.rows().size());
    }

    private DiskFile open() {
        DiskFile known = file;
        if (known != null) {
            return known;
        }
        if (isClosed) {
            throw new DiskException(DiskException.Kind.IO, NAME + " is closed", null);
        }
        if (disk.exists(NAME)) {
            disk.delete(NAME);
        }
        DiskFile made = disk.open(NAME, Disk.OpenMode.CREATE_NEW);
        file = made;
        return made;
    }

    /** As a port of which every call has ended when it returns; an error of the device while a page is read is thrown. */
    public PageIo atOnce() {
        return new PageIo() {
            @Override
            public void read(Place place, boolean insists, Consumer<Answer> done) {
                done.accept(PageFile.this.read(place));
            }

            @Override
            public void write(List<Image> images, boolean isUrgent, Consumer<Boolean> done) {
                // A start needs as much of the device as the life before it did, and memory more than anybody.
                done.accept(tryWrite(images, 0));
            }
        };
    }

    /**
     * As {@link #write}; whether it worked.
     *
     * @param keptBytes of the device that the file must leave free when it grows
     */
    public boolean tryWrite(List<PageIo.Image> images, long keptBytes) {
        try {
            requireRoom(images, keptBytes);
            write(images);
            isRefusing = false;
            return true;
        } catch (DiskException failure) {
            if (!isRefusing) {
                LOG.warn("file={} state=NOT_WRITTEN the index stays in memory: {}", NAME, failure.getMessage());
            }
            isRefusing = true;
            return false;
        }
    }

    /** Whether it was closed. */
    public boolean isClosed() {
        return isClosed;
    }

    /** Removes the file. */
    @Override
    public void close() {
        isClosed = true;
        DiskFile opened = file;
        file = null;
        if (opened == null) {
            return;
        }
        opened.close();
        try {
            disk.delete(NAME);
        } catch (DiskException leftover) {
            LOG.warn("file={} state=LEFT until the next start: {}", NAME, leftover.getMessage());
        }
    }
}
