// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

/** Output that nobody reads any more is no failure, in whatever language the system tells of it. */
final class ClosedPipeTest {
    @Test
    void textOfTheSystemCountsBesideTheEnglishOne() {
        ClosedPipe german = new ClosedPipe("Datenübergabe unterbrochen");

        assertThat(german.tells(new IOException("Datenübergabe unterbrochen"))).isTrue();
        assertThat(german.tells(new IOException("Broken pipe"))).isTrue();
        assertThat(german.tells(new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar")))
                .isFalse();
        assertThat(german.tells(new ClosedChannelException())).isFalse();
    }

    @Test
    void unknownTextStandsForNoFailure() {
        assertThat(new ClosedPipe("").tells(new IOException("Eingabe-/Ausgabefehler")))
                .isFalse();
    }

    @Test
    void pipeOfThisSystemIsKnown() throws Exception {
        Process reader = new ProcessBuilder("sh", "-c", "exec 0<&-; echo ready; exec sleep 60").start();
        assertThat(reader.inputReader().readLine()).isEqualTo("ready");

        IOException closed = catchThrowableOfType(IOException.class, () -> {
            try (OutputStream pipe = reader.getOutputStream()) {
                pipe.write(1);
                pipe.flush();
            }
        });

        reader.destroyForcibly();
        assertThat(ClosedPipe.isCauseOf(closed)).isTrue();
        try (FileOutputStream full = new FileOutputStream("/dev/full")) {
            IOException other = catchThrowableOfType(IOException.class, () -> full.write(1));
            assertThat(ClosedPipe.isCauseOf(other)).isFalse();
        }
    }
}
