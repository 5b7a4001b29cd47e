// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** B14: a full device is known as such in whatever language the operating system tells of it. */
final class ErrorTextsTest {
    private final ErrorTexts german =
            new ErrorTexts("Auf dem Gerät ist kein Speicherplatz mehr verfügbar", "Das Argument ist ungültig");

    @Test
    void fullDeviceIsKnownInTheLanguageOfTheSystem() {
        assertThat(german.isFull(new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar")))
                .isTrue();
        assertThat(german.isFull(new FileSystemException(
                        "/data/tmp", null, "Auf dem Gerät ist kein Speicherplatz mehr verfügbar")))
                .isTrue();
        assertThat(german.isFull(new IOException("No space left on device"))).isTrue();
        assertThat(german.isFull(new IOException("Eingabe-/Ausgabefehler"))).isFalse();
        assertThat(german.isFull(new IOException())).isFalse();
    }

    @Test
    void quotaIsKnownWhereItIsCalledSo() {
        assertThat(german.isFull(new IOException("Disk quota exceeded"))).isTrue();
        assertThat(german.isFull(new IOException("Der zugewiesene Plattenplatz (Quota) ist überschritten")))
                .isTrue();
    }

    @Test
    void wordsInThePathTellNothing() {
        assertThat(german.isFull(new FileSystemException("/no space left/quota", null, "Eingabe-/Ausgabefehler")))
                .isFalse();
        assertThat(german.isUnsupported(new FileSystemException("/invalid argument", null, "Eingabe-/Ausgabefehler")))
                .isFalse();
    }

    @Test
    void whatTheFileSystemCannotDoIsKnownInTheLanguageOfTheSystem() {
        assertThat(german.isUnsupported(new FileSystemException("/data/log", null, "Das Argument ist ungültig")))
                .isTrue();
        assertThat(german.isUnsupported(new IOException("Invalid argument"))).isTrue();
        assertThat(german.isUnsupported(new UnsupportedOperationException())).isTrue();
        assertThat(german.isUnsupported(new IOException("Eingabe-/Ausgabefehler")))
                .isFalse();
    }

    @Test
    void unknownTextsStandForNoError() {
        ErrorTexts unknown = new ErrorTexts("", "");

        assertThat(unknown.isFull(new IOException("Eingabe-/Ausgabefehler"))).isFalse();
        assertThat(unknown.isUnsupported(new IOException("Eingabe-/Ausgabefehler")))
                .isFalse();
    }

    /** {@code /dev/full} takes no byte, like a full disk. */
    @Test
    void textOfThisSystemIsFoundOut() throws IOException {
        try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            IOException refused = catchThrowableOfType(IOException.class, () -> full.write(ByteBuffer.allocate(1)));

            assertThat(ErrorTexts.ofSystem().isFull(refused)).isTrue();
        }
    }
}
