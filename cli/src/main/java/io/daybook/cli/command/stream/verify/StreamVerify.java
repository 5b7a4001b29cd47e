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
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import io.daybook.stream.StreamStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
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
            List<SegmentMetadata> segments = segments(session.stores().streams());
            boolean hasKey = opened.status().join().options().digest() == StreamOptions.Digest.HMAC_SHA256;
            CopyCheck copies = new CopyCheck(session.client(), hasKey ? invocation.openOptions() : OpenOptions.DEFAULT);
            try (Progress progress = Progress.ofCount(invocation.terminal(), "segments", 2L * segments.size())) {
                RecordCheck records = read(opened, segments, progress);
                List<SegmentMetadata> gone = look(copies, segments, progress);
                if (!gone.isEmpty()) {
                    // What was truncated meanwhile is not a segment of the stream any more.
                    gone.retainAll(segments(session.stores().streams()));
                }
                gone.forEach(records::withoutLedger);
                return report(segments.size(), records, copies);
            }
        }
    }

    /** Looks at all of them; returns those whose ledger is not there. */
    private static List<SegmentMetadata> look(CopyCheck copies, List<SegmentMetadata> segments, Progress progress) {
        List<SegmentMetadata> gone = new ArrayList<>();
        for (SegmentMetadata segment : segments) {
            if (!copies.look(segment)) {
                gone.add(segment);
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

    private static RecordCheck read(LogStream stream, List<SegmentMetadata> segments, Progress progress) {
        StreamStatus status = stream.status().join();
        RecordCheck check = new RecordCheck(status.options().transactionIdMode());
        long present = 0;
        try (LogReader reader = stream.openReader(StartPosition.earliest()).join()) {
            for (PositionedRecord record : reader.drain()) {
                check.accept(record);
                if (record.position().segment() != present) {
                    present = record.position().segment();
                    progress.step();
                }
            }
        }
        DLSN firstKept = stream.status().join().firstKept();
        boolean isCut = firstKept.entry() > 0 || firstKept.slot() > 0;
        for (SegmentMetadata segment : segments) {
            if (segment.state() == SegmentMetadata.State.COMPLETED && segment.number() >= firstKept.segment()) {
                check.completed(segment, isCut && segment.number() == firstKept.segment());
            }
        }
        return check;
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
