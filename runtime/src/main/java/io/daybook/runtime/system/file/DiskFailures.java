// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.file;

import io.daybook.runtime.DiskException;
import io.daybook.runtime.DiskException.Kind;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;

/** What the file system said, as a {@link DiskException}. */
final class DiskFailures {
    private DiskFailures() {}

    /** {@code action} is what could not be done, such as {@code write}. */
    static DiskException of(String action, Object path, Exception failure) {
        return new DiskException(kindOf(failure), "cannot " + action + " " + path + ": " + reasonOf(failure), failure);
    }

    private static Kind kindOf(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return Kind.NOT_FOUND;
        }
        if (failure instanceof FileAlreadyExistsException) {
            return Kind.EXISTS;
        }
        return ErrorTexts.ofSystem().isFull(failure) ? Kind.FULL : Kind.IO;
    }

    private static String reasonOf(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return "it does not exist";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "the name is taken";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is not a directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NonWritableChannelException) {
            return "it was opened to be read only";
        }
        if (failure instanceof ClosedChannelException) {
            return "the file is closed";
        }
        if (failure instanceof FileSystemException refusal && refusal.getReason() != null) {
            return refusal.getReason().toLowerCase(Locale.ROOT);
        }
        String message = failure.getMessage();
        if (message == null || message.isBlank() || !(failure instanceof IOException)) {
            return failure.toString();
        }
        return message.lines().findFirst().orElse(message).toLowerCase(Locale.ROOT);
    }
}
