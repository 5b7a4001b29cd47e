// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerReport.Flaw;
import io.daybook.ledger.api.LedgerReport.Kind;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.metadata.model.Fragment;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads every copy of a ledger's entries and checks it: one fragment after the other, all members of its ensemble at once, each from its first entry to its
 * last. That a bookie is busy says nothing of its copies: it is asked again. One that several times on end does not answer is asked no more in that
 * fragment; once it was waited for as long as {@link #TIMEOUTS_MAX} read time-outs on end, or was busy for very long, it is not asked in later ones either.
 * All copies that were not read count as unreadable.
 *
 * <p><i>Threading:</i> confined to its reader's loop.
 */
public final class LedgerVerification {
    private static final int TIMEOUTS_MAX = 3;
    /** A busy bookie is asked again after this time. */
    private static final long BUSY_NANOS = 100_000_000L;
    /** For so many read time-outs on end a bookie may be busy, before its copies count as unreadable. */
    private static final int BUSY_TIMES_MAX = 30;

    private final HandleContext context;
    private final QuorumReader reader;
    private final CompletableFuture<LedgerReport> report;
    private final List<Fragment> fragments;
    private final List<Flaw> flaws = new ArrayList<>();
    /** For how long each bookie was waited for in vain, in nanoseconds, since it answered last. */
    private final Map<BookieId, Long> waitedNanos = new TreeMap<>();

    private final Set<BookieId> givenUp = new TreeSet<>();
    private final long end;
    private int fragment = -1;
    private int missing;
    private long sound;
    private long flawed;

    private LedgerVerification(HandleContext context, QuorumReader reader, CompletableFuture<LedgerReport> report) {
        this.context = context;
        this.reader = reader;
        this.report = report;
        this.fragments = reader.metadata().fragments();
        this.end = reader.lastAddConfirmed();
    }

    /** Begins; completes {@code report}, or fails it when the reader is closed meanwhile. */
    public static void start(HandleContext context, QuorumReader reader, CompletableFuture<LedgerReport> report) {
        reader.ended()
                .thenRun(() -> report.completeExceptionally(new LedgerException.HandleClosed(
                        "the verification of ledger " + reader.ledgerId() + " was given up", Outcome.FAILED)));
        LedgerVerification verification = new LedgerVerification(context, reader, report);
        if (!context.run(verification::nextFragment)) {
            reader.close();
        }
    }

    private void nextFragment() {
        fragment++;
        if (fragment == fragments.size() || fragments.get(fragment).firstEntryId() > end) {
            report.complete(new LedgerReport(reader.ledgerId(), end, sound, flawed, sorted()));
            return;
        }
        List<BookieId> ensemble = fragments.get(fragment).ensemble();
        missing = ensemble.size();
        for (int slot = 0; slot < ensemble.size(); slot++) {
            new Copies(slot, ensemble.get(slot)).readOn();
        }
    }

    private List<Flaw> sorted() {
        return flaws.stream()
                .sorted(Comparator.comparing(Flaw::bookie).thenComparingLong(Flaw::firstEntryId))
                .toList();
    }

    private long lastOfFragment() {
        return fragment + 1 < fragments.size()
                ? Math.min(end, fragments.get(fragment + 1).firstEntryId() - 1)
                : end;
    }

    private void memberDone() {
        missing--;
        if (missing == 0) {
            // Not at once: nobody may have been asked for very many fragments on end.
            context.loop().execute(this::nextFragment);
        }
    }

    /** The copies that one member of the ensemble keeps. */
    private final class Copies {
        private final int slot;
        private final BookieId bookie;
        private long next;
        private int timeouts;
        private long askedNanos;
        private long heardNanos;
        private @Nullable Flaw present;

        Copies(int slot, BookieId bookie) {
            this.slot = slot;
            this.bookie = bookie;
            this.next = fragments.get(fragment).firstEntryId();
            this.heardNanos = context.loop().nanoTime();
        }

        void readOn() {
            skipOthers();
            if (report.isDone()) {
                return;
            }
            if (next <= lastOfFragment() && givenUp.contains(bookie)) {
                found(Kind.UNREADABLE);
                skipAll();
            }
            if (next > lastOfFragment()) {
                endFlaw();
                memberDone();
                return;
            }
            long run = Math.min(reader.writeSets().runOf(slot, next), lastOfFragment() - next + 1);
            ReadRequest request = new ReadRequest(
                    0,
                    reader.ledgerId(),
                    next,
                    (int) Math.min(run, Limits.READ_COUNT_MAX),
                    Limits.READ_BYTES_MAX,
                    ReadRequest.FLAG_UNCONFIRMED,
                    0,
                    context.timeouts().readMillis());
            askedNanos = context.loop().nanoTime();
            context.links().read(bookie, request, this::onAnswer);
        }

        /** Goes to the next entry that this member is to keep. */
        private void skipOthers() {
            while (next <= lastOfFragment() && !reader.writeSets().holds(slot, next)) {
                next++;
            }
        }

        private void onAnswer(ReadAnswer answer, ByteBuf frame) {
            boolean isBusy = answer.status() == StatusCode.BUSY;
            if (isBusy && !isBusyTooLong()) {
                context.loop().schedule(BUSY_NANOS, this::readOn);
                return;
            }
            heardNanos = isBusy ? heardNanos : context.loop().nanoTime();
            watch(answer.status());
            try (ReadEntries entries = ReadEntries.soundPrefix(answer, frame, reader.form(), lastOfFragment())) {
                int count = entries.list().size();
                sound += count;
                if (count > 0) {
                    endFlaw();
                }
                next += count;
                if (count == 0 || count < answer.count()) {
                    flaw(answer);
                }
            }
            readOn();
        }

        private void watch(StatusCode status) {
            boolean isSilent = status == StatusCode.TIMEOUT || status == StatusCode.DISCONNECTED;
            long before = waitedNanos.getOrDefault(bookie, 0L);
            long waited = isSilent ? before + context.loop().nanoTime() - askedNanos : 0;
            waitedNanos.put(bookie, waited);
            timeouts = isSilent ? timeouts + 1 : 0;
            if (waited >= TIMEOUTS_MAX * context.timeouts().read() || status == StatusCode.BUSY) {
                givenUp.add(bookie);
            }
        }

        private boolean isBusyTooLong() {
            return context.loop().nanoTime() - heardNanos
                    >= BUSY_TIMES_MAX * context.timeouts().read();
        }

        private void flaw(ReadAnswer answer) {
            StatusCode status = answer.status();
            if (answer.count() > 0 || status == StatusCode.CORRUPT) {
                found(Kind.DAMAGED);
                context.damage().damaged(reader.ledgerId(), next, bookie);
            } else if (status.isProofOfAbsence()) {
                found(Kind.MISSING);
            } else {
                found(Kind.UNREADABLE);
                if (timeouts >= TIMEOUTS_MAX || givenUp.contains(bookie)) {
                    skipAll();
                    return;
                }
            }
            next++;
        }

        private void found(Kind kind) {
            flawed++;
            if (present == null || present.kind() != kind) {
                endFlaw();
                present = new Flaw(bookie, next, next, kind);
            } else {
                present = new Flaw(bookie, present.firstEntryId(), next, kind);
            }
        }

        private void endFlaw() {
            if (present != null && flaws.size() < LedgerReport.FLAWS_MAX) {
                flaws.add(present);
            }
            present = null;
        }

        /** After the flaw that was found last: a bookie that does not answer, or is busy for ever, is not asked for each entry. */
        private void skipAll() {
            long last = lastOfFragment();
            long left = reader.writeSets().countOf(slot, next + 1, last);
            next = last + 1;
            if (left > 0 && present != null) {
                flawed += left;
                present = new Flaw(bookie, present.firstEntryId(), lastHeld(last), present.kind());
            }
        }

        /** The last entry that this member is to keep, at {@code last} or before. */
        private long lastHeld(long last) {
            long held = last;
            while (!reader.writeSets().holds(slot, held)) {
                held--;
            }
            return held;
        }
    }
}
