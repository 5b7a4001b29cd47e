// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.index.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The file of cold pages. */
final class PageFileTest {
    private static final int ROWS_MAX = 8;

    private final Disk disk = new SimulatedWorld(1).machine("one").start().disk("/data");

    private static RunRows rows(long from) {
        RunRows rows = new RunRows();
        for (int i = 0; i < ROWS_MAX; i++) {
            rows.insert(from + 3L * i, 2, 5 + i, 70 + i, 900);
        }
        return rows;
    }

    private static PageIo.Image image(int page, long from) {
        return new PageIo.Image(new PageIo.Place((long) page * PageFile.pageBytes(ROWS_MAX), from, 3), rows(from));
    }

    @Test
    void aPageIsReadAsItWasWritten() {
        PageFile file = new PageFile(disk, ROWS_MAX);
        file.write(List.of(image(0, 10), image(1, 50)));

        RunRows read = Objects.requireNonNull(file.read(image(1, 50).place()).rows());

        assertThat(read.size()).isEqualTo(ROWS_MAX);
        assertThat(read.firstEntryId(7)).isEqualTo(71);
        assertThat(read.end(7)).isEqualTo(73);
        assertThat(read.logId(7)).isEqualTo(12);
        assertThat(read.tableRow(7)).isEqualTo(77);
        assertThat(read.bytes(7)).isEqualTo(900);
    }

    // S-02: one bit anywhere.
    @Test
    void aDamagedPageIsNoPage() {
        PageFile file = new PageFile(disk, ROWS_MAX);
        PageIo.Image image = image(0, 10);
        for (int at = 0; at < PageFile.pageBytes(ROWS_MAX); at++) {
            file.write(List.of(image));
            try (DiskFile other = disk.open(PageFile.NAME, Disk.OpenMode.READ_WRITE)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                other.read(at, one);
                other.write(at, one.put(0, (byte) (one.get(0) ^ 0x10)).rewind());
            }

            assertThat(file.read(image.place())).as("byte %d", at).isEqualTo(PageIo.Answer.DAMAGED);
        }
    }

    @Test
    void whatWasWrittenForAnotherPageOrElsewhereIsNotTakenForIt() {
        PageFile file = new PageFile(disk, ROWS_MAX);
        file.write(List.of(image(0, 10)));

        assertThat(file.read(new PageIo.Place(0, 11, 3)).isDamaged()).isTrue();
        assertThat(file.read(image(1, 10).place()).isDamaged()).isTrue();
    }

    @Test
    void whatWasWrittenBeforeIsNotTakenForWhatADeviceForgotToWrite() {
        PageFile file = new PageFile(disk, ROWS_MAX);
        file.write(List.of(image(0, 10)));

        assertThat(file.read(new PageIo.Place(0, 10, 4)).isDamaged()).isTrue();
        assertThat(file.read(new PageIo.Place(0, 10, 3)).isDamaged()).isFalse();
    }

    // B14, 0020
    @Test
    void theFileGrowsOnlyIntoSpaceThatIsNotKeptBack() {
        PageFile file = new PageFile(disk, ROWS_MAX);
        long more = disk.usableBytes("") + 1;
        assertThat(file.tryWrite(List.of(image(0, 10)), 100)).isTrue();

        assertThat(file.tryWrite(List.of(image(1, 50)), more)).isFalse();
        assertThat(file.tryWrite(List.of(image(0, 20)), more))
                .as("in the place of another")
                .isTrue();
        assertThat(file.tryWrite(List.of(image(1, 50)), 0))
                .as("memory is short")
                .isTrue();

        assertThat(file.read(image(0, 20).place()).rows()).isNotNull();
        assertThat(file.read(image(1, 50).place()).rows()).isNotNull();
    }

    @Test
    void theFileIsThereOnlyWhileItIsUsed() {
        PageFile file = new PageFile(disk, ROWS_MAX);
        assertThat(disk.exists(PageFile.NAME)).isFalse();
        file.write(List.of(image(0, 10)));
        assertThat(disk.exists(PageFile.NAME)).isTrue();

        file.close();

        assertThat(disk.exists(PageFile.NAME)).isFalse();
    }
}
