// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
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
    private static final ErrorTexts OF_SYSTEM = new ErrorTexts(ofFullDevice(), ofInvalidArgument());

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

    /** The text of the system for a full device; empty when it cannot be found out here and now: only what a write says counts. */
    private static String ofFullDevice() {
        try (FileChannel device = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            return writeTo(device);
        } catch (IOException unopened) {
            // There is none, or no file can be opened now: this says nothing of space.
            return "";
        }
    }

    private static String writeTo(FileChannel device) {
        try {
            device.write(ByteBuffer.allocate(1));
            return "";
        } catch (ClosedChannelException interrupted) {
            return "";
        } catch (IOException full) {
            return textOf(full);
        }
    }

    /** That for an invalid argument: files of the kernel have no direct reads. Empty when it cannot be found out. */
    private static String ofInvalidArgument() {
        Path file = Path.of("/proc/version");
        try {
            FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT)
                    .close();
            return "";
        } catch (IOException | UnsupportedOperationException refused) {
            return refused.getClass() == FileSystemException.class && isReadable(file) ? textOf(refused) : "";
        }
    }

    /** Whether it is opened in another way, so that a refusal is about the way. */
    private static boolean isReadable(Path file) {
        try {
            FileChannel.open(file, StandardOpenOption.READ).close();
            return true;
        } catch (IOException absent) {
            return false;
        }
    }
}
