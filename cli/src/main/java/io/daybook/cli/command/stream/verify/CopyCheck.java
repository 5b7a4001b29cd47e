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
import java.util.concurrent.CompletionException;

/** Has every copy of every entry of segments read where it is kept. */
final class CopyCheck {
    private static final int FLAWS_MAX = 1_000;

    private final LedgerClient client;
    private final OpenOptions options;
    private final List<Fields> flaws = new ArrayList<>();
    private long soundCopies;
    private long flawedCopies;

    CopyCheck(LedgerClient client, OpenOptions options) {
        this.client = client;
        this.options = options;
    }

    /** Looks at all copies; returns whether the ledger is still there. Of one in progress at what is confirmed. */
    boolean look(SegmentMetadata segment) {
        LedgerReport report;
        try {
            report = client.verify(segment.ledgerId(), options).join();
        } catch (CompletionException failure) {
            if (Failures.rootOf(failure) instanceof LedgerException.LedgerGone) {
                return false;
            }
            throw failure;
        }
        soundCopies += report.soundCopies();
        flawedCopies += report.flawedCopies();
        for (LedgerReport.Flaw flaw : report.flaws()) {
            if (flaws.size() < FLAWS_MAX) {
                flaws.add(fields(segment, flaw));
            }
        }
        return true;
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
