// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.util.List;

/**
 * Knows the failure of a write that nobody reads any more, as with {@code | head}. Java has nothing of it but the system's text, which is in the language of the environment: what the system says
 * of a pipe that was closed on purpose counts as well as the English text.
 */
public final class ClosedPipe {
    private static final ClosedPipe OF_SYSTEM = new ClosedPipe(provoked());

    private final List<String> texts;

    /** With the system's text; empty when it is not known. */
    ClosedPipe(String provoked) {
        texts = provoked.isEmpty()
                ? List.of("Broken pipe", "Connection reset by peer")
                : List.of(provoked, "Broken pipe", "Connection reset by peer");
    }

    /** Whether {@code failure} says that nobody reads what is written. */
    public static boolean isCauseOf(Throwable failure) {
        return failure instanceof IOException && OF_SYSTEM.tells(failure);
    }

    boolean tells(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return texts.stream().anyMatch(message::contains);
    }

    private static String provoked() {
        try {
            Pipe pipe = Pipe.open();
            pipe.source().close();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                return textOfWrite(sink);
            }
        } catch (IOException unopened) {
            // No pipe now, which says nothing of one that is closed.
            return "";
        }
    }

    private static String textOfWrite(Pipe.SinkChannel sink) {
        try {
            sink.write(ByteBuffer.allocate(1));
            return "";
        } catch (ClosedChannelException interrupted) {
            return "";
        } catch (IOException closed) {
            return String.valueOf(closed.getMessage());
        }
    }
}
