// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.verify;

import io.daybook.cli.terminal.Fields;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.runtime.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;

/** Has every copy of every entry of segments read where it is kept. */
final class CopyCheck {
    private static final int FLAWS_MAX = 1_000;
    private static final long UNDER_WAY_NANOS = 2_000_000_000L;

    private final LedgerClient client;
    private final OpenOptions options;
    private final List<Fields> flaws = new ArrayList<>();
    private long soundCopies;
    private long flawedCopies;

    CopyCheck(LedgerClient client, OpenOptions options) {
        this.client = client;
        this.options = options;
    }

    /** Looks at all copies; returns the last entry that was looked at, or nothing when the ledger is not there. */
    OptionalLong look(SegmentMetadata segment) {
        try {
            LedgerReport report = client.verify(segment.ledgerId(), options).join();
            if (!report.isSound() && segment.state() == SegmentMetadata.State.IN_PROGRESS) {
                // The last entries may have been under way to the slowest bookie, or to another ensemble.
                LockSupport.parkNanos(UNDER_WAY_NANOS);
                report = client.verify(segment.ledgerId(), options).join();
            }
            count(segment, report);
            return OptionalLong.of(report.lastEntryId());
        } catch (CompletionException failure) {
            if (Failures.rootOf(failure) instanceof LedgerException.LedgerGone) {
                return OptionalLong.empty();
            }
            throw failure;
        }
    }

    private void count(SegmentMetadata segment, LedgerReport report) {
        soundCopies += report.soundCopies();
        flawedCopies += report.flawedCopies();
        for (LedgerReport.Flaw flaw : report.flaws()) {
            if (flaws.size() < FLAWS_MAX) {
                flaws.add(fields(segment, flaw));
            }
        }
    }

    private static Fields fields(SegmentMetadata segment, LedgerReport.Flaw flaw) {
        return new Fields()
                .with("segment", segment.number())
                .with("ledgerId", segment.ledgerId())
                .with("bookie", flaw.bookie().toString())
                .with("kind", flaw.kind().name())
                .with("firstEntryId", flaw.firstEntryId())
                .with("lastEntryId", flaw.lastEntryId());
    }

    /** Copies that are as they should be. */
    long soundCopies() {
        return soundCopies;
    }

    /** Copies that are missing, damaged or cannot be read. */
    long flawedCopies() {
        return flawedCopies;
    }

    /** The first thousand runs of those. */
    List<Fields> flaws() {
        return flaws;
    }
}
