// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.verify;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.LedgerSession;
import io.daybook.cli.invocation.StreamName;
import io.daybook.cli.terminal.CommandFailure;
import io.daybook.cli.terminal.ExitCodes;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Output;
import io.daybook.cli.terminal.Progress;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.runtime.Failures;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code daybook stream verify}. */
@Command(
        name = "verify",
        description = {
            "Reads every record of a stream and compares them with each other and with what is noted of its segments, then reads"
                    + " every copy of every entry from the bookie that is to have it.",
            "Ends with 0 only if nothing contradicts and all copies are as they should be. It may run while the stream is"
                    + " written; what is truncated meanwhile is passed over."
        })
public final class StreamVerify implements Callable<Integer> {
    private static final int PAGE_SIZE = 1_000;

    @Mixin
    private final Invocation invocation;

    @Mixin
    private final StreamName stream = new StreamName();

    StreamVerify(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        try (LedgerSession session = LedgerSession.open(invocation);
                Namespace namespace = invocation.openNamespace()) {
            LogStream opened =
                    namespace.openStream(stream.text(), OpenMode.MUST_EXIST).join();
            StreamMetadataStore store = session.stores().streams();
            StreamMetadata head = store.read(stream.text()).join().value();
            List<SegmentMetadata> segments = segments(store);
            RecordCheck records = new RecordCheck(head.settings().transactionIdMode());
            boolean hasKey = head.settings().digest() == DigestType.HMAC_SHA256;
            CopyCheck copies = new CopyCheck(session.client(), hasKey ? invocation.openOptions() : OpenOptions.DEFAULT);
            try (Progress progress = Progress.ofCount(invocation.terminal(), "segments", 2L * segments.size())) {
                read(opened, records, progress);
                List<Long> gone = look(copies, segments, records, progress);
                StreamMetadata after = requireSame(store, head);
                if (!gone.isEmpty()) {
                    // What was truncated meanwhile is not a segment of the stream any more.
                    gone.retainAll(segments(store).stream()
                            .map(SegmentMetadata::number)
                            .toList());
                }
                gone.forEach(records::withoutLedger);
                compare(segments, firstKept(after), records);
            }
            return report(segments.size(), records, copies);
        }
    }

    /** Fails when the name is another stream's by now, or nobody's: then what was listed under it may be that one's. */
    private StreamMetadata requireSame(StreamMetadataStore store, StreamMetadata before) {
        StreamMetadata after = store.read(stream.text()).join().value();
        if (!after.incarnation().equals(before.incarnation()) || after.state() == StreamMetadata.State.DELETING) {
            throw new CommandFailure("stream '" + stream.text() + "' was deleted or renamed while it was looked at");
        }
        return after;
    }

    /** Looks at all of them; returns the numbers of those whose ledger is not there. */
    private static List<Long> look(
            CopyCheck copies, List<SegmentMetadata> segments, RecordCheck records, Progress progress) {
        List<Long> gone = new ArrayList<>();
        for (SegmentMetadata segment : segments) {
            OptionalLong end = copies.look(segment);
            if (end.isEmpty()) {
                gone.add(segment.number());
            } else {
                records.lookedAt(segment, end.getAsLong());
            }
            progress.step();
        }
        return gone;
    }

    /** Those that are kept now. */
    private List<SegmentMetadata> segments(StreamMetadataStore store) {
        List<SegmentMetadata> all = new ArrayList<>();
        long after = 0;
        for (boolean isMore = true; isMore; ) {
            Page<SegmentMetadata> page =
                    store.segments(stream.text(), after, PAGE_SIZE).join();
            for (SegmentMetadata segment : page.items()) {
                after = segment.number();
                if (segment.state() != SegmentMetadata.State.TRUNCATED) {
                    all.add(segment);
                }
            }
            isMore = !page.isLast();
        }
        return all;
    }

    /** All records from the first one that is kept to what is the end; what cannot be read for good is a fault, and copies are looked at all the same. */
    private static void read(LogStream stream, RecordCheck check, Progress progress) {
        boolean isRead = false;
        while (!isRead) {
            try {
                readToEnd(stream, check, progress);
                isRead = true;
            } catch (StreamException | CompletionException failure) {
                Throwable root = Failures.rootOf(failure);
                if (root instanceof StreamException.Truncated) {
                    check.anew();
                } else if (root instanceof StreamException.Corrupt damage) {
                    check.unreadable(String.valueOf(damage.getMessage()));
                    isRead = true;
                } else {
                    throw failure;
                }
            }
        }
    }

    private static void readToEnd(LogStream stream, RecordCheck check, Progress progress) {
        try (LogReader reader = stream.openReader(StartPosition.earliest()).join()) {
            long present = 0;
            for (PositionedRecord record : reader.drain()) {
                check.accept(record);
                if (record.position().segment() != present) {
                    present = record.position().segment();
                    progress.step();
                }
            }
        }
    }

    /** Of the listed segments those that have an end for ever and are still kept. */
    private static void compare(List<SegmentMetadata> segments, DLSN firstKept, RecordCheck records) {
        for (SegmentMetadata segment : segments) {
            if (segment.state() == SegmentMetadata.State.COMPLETED && segment.number() >= firstKept.segment()) {
                records.completed(segment, firstKept);
            }
        }
    }

    private static DLSN firstKept(StreamMetadata head) {
        return new DLSN(head.truncatedSegment(), head.truncatedEntry(), head.truncatedSlot());
    }

    private int report(int segments, RecordCheck records, CopyCheck copies) throws IOException {
        Output output = invocation.output();
        output.thing(new Fields()
                .with("name", stream.text())
                .with("segments", segments)
                .with("records", records.count())
                .with("contradictions", records.faultCount())
                .with("soundCopies", copies.soundCopies())
                .with("flawedCopies", copies.flawedCopies())
                .withList(
                        "faults",
                        records.faults().stream()
                                .map(fault -> new Fields().with("fault", fault))
                                .toList())
                .withList("flaws", copies.flaws()));
        output.flush();
        if (records.faultCount() + copies.flawedCopies() > 0) {
            throw new CommandFailure("stream '" + stream.text() + "': " + records.faultCount() + " contradictions in "
                    + records.count() + " records; " + copies.flawedCopies()
                    + " copies of entries are missing, damaged or cannot be read, " + copies.soundCopies()
                    + " are sound");
        }
        return ExitCodes.DONE;
    }
}
