// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.StreamException;
import io.daybook.stream.StreamException.Outcome;
import org.jspecify.annotations.Nullable;

/** What a failure of the layers below means to an application of a stream. */
public final class StreamFailures {
    private StreamFailures() {}

    /** The failure for the application; {@code doing} continues "stream 'x': cannot …". */
    public static StreamException of(String stream, String doing, @Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root instanceof StreamException known) {
            return known;
        }
        String what = "stream '" + stream + "': cannot " + doing + ": " + (root == null ? "" : root.getMessage());
        if (root instanceof MetadataException metadata) {
            return ofMetadata(stream, what, metadata);
        }
        if (root instanceof LedgerException ledger) {
            return ofLedger(what, ledger);
        }
        return new StreamException.Bug(what, root == null ? new IllegalStateException("no reason given") : root);
    }

    private static StreamException ofMetadata(String stream, String what, MetadataException failure) {
        return switch (failure.code()) {
            case NOT_FOUND -> notFound(stream);
            case ALREADY_EXISTS -> new StreamException.StreamExists("stream '" + stream + "' exists already");
            case CLOSED -> new StreamException.HandleClosed(what, Outcome.FAILED);
            case UNREADABLE -> new StreamException.Corrupt(what, failure);
            case VERSION_CONFLICT, OUTCOME_UNKNOWN, UNAVAILABLE, DENIED ->
                new StreamException.Unavailable(what, failure);
        };
    }

    private static StreamException ofLedger(String what, LedgerException failure) {
        if (failure instanceof LedgerException.Fenced) {
            return new StreamException.WriterFenced(what, outcomeOf(failure));
        }
        if (failure instanceof LedgerException.HandleClosed) {
            return new StreamException.HandleClosed(what, outcomeOf(failure));
        }
        if (failure instanceof LedgerException.WrongKey) {
            return new StreamException.WrongKey(what + ": open the namespace with the key of the stream");
        }
        if (failure instanceof LedgerException.EntryCorrupt || failure instanceof LedgerException.LedgerGone) {
            return new StreamException.Corrupt(what, failure);
        }
        if (failure instanceof LedgerException.Bug) {
            return new StreamException.Bug(what, failure);
        }
        return new StreamException.Unavailable(what, failure);
    }

    /** What became of an append, in the terms of the stream layer. */
    public static Outcome outcomeOf(LedgerException failure) {
        return failure.outcome() == LedgerException.Outcome.FAILED ? Outcome.FAILED : Outcome.UNKNOWN;
    }

    /** The stream is not what was written or what its metadata promises (S2). */
    public static StreamException corrupt(String stream, DLSN position, String what, Throwable cause) {
        return new StreamException.Corrupt(
                "stream '" + stream + "' is damaged at " + position + ": " + what
                        + ": what stands before it can be read; to leave it out, open a reader at a later position",
                cause);
    }

    /** There is no such stream. */
    public static StreamException notFound(String stream) {
        return new StreamException.StreamNotFound("stream '" + stream + "' does not exist");
    }

    /** Passes a head of a stream that is not being deleted; throws {@link StreamException.StreamNotFound} otherwise. */
    public static Versioned<StreamMetadata> requireNotDeleting(Versioned<StreamMetadata> head) {
        if (head.value().state() == StreamMetadata.State.DELETING) {
            throw new StreamException.StreamNotFound("stream '" + head.value().name() + "' is being deleted");
        }
        return head;
    }

    /** Passes a head that may be written; throws what the application is to be told otherwise. */
    public static Versioned<StreamMetadata> requireWritable(Versioned<StreamMetadata> head) {
        if (head.value().state() == StreamMetadata.State.SEALED) {
            throw new StreamException.EndOfStream(
                    "stream '" + head.value().name() + "' is sealed: nothing can be appended to it");
        }
        return requireNotDeleting(head);
    }

    /** Whether the same step may succeed a moment later. */
    public static boolean isRetryable(@Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        return (root instanceof LedgerException ledger && ledger.isRetryable())
                || (root instanceof MetadataException metadata && metadata.isRetryable());
    }

    /** Whether a metadata store refused with that code. */
    public static boolean isMetadata(@Nullable Throwable failure, MetadataException.Code code) {
        return Failures.rootOf(failure) instanceof MetadataException metadata && metadata.code() == code;
    }
}
