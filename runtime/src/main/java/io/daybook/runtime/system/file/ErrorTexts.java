// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Tells errors of the operating system apart. Java has nothing of them but their texts, which are in the language of the environment ({@code LC_MESSAGES}):
 * beside the English text that counts which the system gives for an error of the same kind that was provoked.
 */
final class ErrorTexts {
    private static final ErrorTexts OF_SYSTEM =
            new ErrorTexts(provoked(ErrorTexts::writeToFullDevice), provoked(ErrorTexts::readPastAbsentPageCache));

    private final List<String> full;
    private final List<String> unsupported;

    /** With the system's texts for "no space left on device" and "invalid argument"; empty when they are not known. */
    ErrorTexts(String noSpace, String invalidArgument) {
        // Most languages call a quota so; that text cannot be provoked.
        full = known(noSpace, "no space left", "quota");
        unsupported = known(invalidArgument, "invalid argument");
    }

    /** In the language of this process. */
    static ErrorTexts ofSystem() {
        return OF_SYSTEM;
    }

    private static List<String> known(String provoked, String... english) {
        return Stream.concat(Stream.of(provoked), Stream.of(english))
                .map(text -> text.strip().toLowerCase(Locale.ROOT))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** Whether a device has no space, or a user may have no more of it. */
    boolean isFull(Exception failure) {
        return tells(failure, full);
    }

    /** Whether a file system does not know what it was asked for. */
    boolean isUnsupported(Exception failure) {
        return failure instanceof UnsupportedOperationException || tells(failure, unsupported);
    }

    private static boolean tells(Exception failure, List<String> texts) {
        String said = textOf(failure).toLowerCase(Locale.ROOT);
        return texts.stream().anyMatch(said::contains);
    }

    /** What the system said, without the path, which may contain any words. */
    private static String textOf(Exception failure) {
        return String.valueOf(
                failure instanceof FileSystemException refusal ? refusal.getReason() : failure.getMessage());
    }

    // ---- provoking ----

    /** Something that is meant to fail. */
    @FunctionalInterface
    private interface Provocation {
        void attempt() throws IOException;
    }

    private static String provoked(Provocation provocation) {
        try {
            provocation.attempt();
            return "";
        } catch (IOException | UnsupportedOperationException failure) {
            // A system without the file says that there is none.
            boolean isMeant =
                    !(failure instanceof FileSystemException) || failure.getClass() == FileSystemException.class;
            return isMeant && failure instanceof IOException ? textOf(failure) : "";
        }
    }

    private static void writeToFullDevice() throws IOException {
        try (FileChannel device = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            device.write(ByteBuffer.allocate(1));
        }
    }

    /** Files of the kernel have no direct reads. */
    private static void readPastAbsentPageCache() throws IOException {
        FileChannel.open(Path.of("/proc/version"), StandardOpenOption.READ, ExtendedOpenOption.DIRECT)
                .close();
    }
}
