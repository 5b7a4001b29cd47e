// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.simulation.model.Property;
import io.daybook.testkit.check.Violation;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The abstract state of one real ledger: its metadata, how much is acknowledged, and what bookies have told of entries and fences. Each thing that happens is
 * a step of the model; one that the model does not have, or that breaks a property there, is a violation. That a closed end stays and older fragments too
 * (L4, L8) is watched by {@code LedgerTransitions}.
 *
 * <p><i>Invariants:</i> only what was told counts, never what a bookie holds in secret: an honest decision is made of that.
 */
final class LedgerTrace {
    static final String CHECK = "model-step";

    /** No run appends so many; who asks beyond asks for something else, such as what is confirmed. */
    private static final long ENTRIES_MAX = 1 << 24;

    /** Once a ledger has gone wrong, more of the same tells nothing. */
    private static final int VIOLATIONS_MAX = 10;

    private final long ledgerId;
    private final Consumer<Violation> violations;
    private final Map<BookieId, BitSet> stored = new TreeMap<>();
    private final Map<BookieId, BitSet> denied = new TreeMap<>();
    private final Set<BookieId> fenced = new TreeSet<>();
    private final Map<Long, Long> contents = new TreeMap<>();
    private @Nullable LedgerMetadata metadata;
    private long acknowledged;
    private int wrongs;

    LedgerTrace(long ledgerId, Consumer<Violation> violations) {
        this.ledgerId = ledgerId;
        this.violations = violations;
    }

    /** Whether its metadata is not known yet. */
    boolean isNew() {
        return metadata == null;
    }

    /** The metadata that it had before anything was seen of it. */
    void created(LedgerMetadata created) {
        metadata = created;
    }

    // ---- bookies ----

    /** STORE: a bookie answers normal adds. */
    void stored(BookieId bookie, long firstEntryId, int count) {
        BitSet denials = of(denied, bookie);
        int promised = denials.nextSetBit((int) firstEntryId);
        if (promised >= 0 && promised < firstEntryId + count) {
            wrong(
                    Property.L6,
                    promised,
                    "bookie " + bookie.shortText() + " answers a normal add that it denied before");
        }
        hold(bookie, firstEntryId, count);
    }

    /** COPY: a bookie answers copies of a recoverer, who marked the ledger before it looked for anything. */
    void copied(BookieId bookie, long firstEntryId, int count) {
        boolean isMarked = metadata != null && metadata.state() != LedgerState.OPEN;
        require(isMarked, Property.L5, firstEntryId, "is copied by a recoverer and the ledger is not in recovery");
        hold(bookie, firstEntryId, count);
    }

    private void hold(BookieId bookie, long firstEntryId, int count) {
        of(stored, bookie).set((int) firstEntryId, (int) firstEntryId + count);
    }

    /** FENCE. */
    void fenced(BookieId bookie) {
        fenced.add(bookie);
    }

    /**
     * A bookie that is fenced denies an entry. It may have given up what it had once the ledger is closed and does not name it: whoever is misled by that decides
     * with metadata from before the close, and its compare-and-set fails.
     */
    void denied(BookieId bookie, long entryId) {
        if (entryId >= ENTRIES_MAX || isSurplus(bookie)) {
            return;
        }
        of(denied, bookie).set((int) entryId);
        if (of(stored, bookie).get((int) entryId)) {
            wrong(Property.L2, entryId, "bookie " + bookie.shortText() + " denies what it answered for before");
        }
    }

    private boolean isSurplus(BookieId bookie) {
        return metadata != null
                && metadata.state() == LedgerState.CLOSED
                && metadata.fragments().stream()
                        .noneMatch(fragment -> fragment.ensemble().contains(bookie));
    }

    // ---- the writer ----

    /** SEND and PRESENT: whoever sends an entry sends the bytes that the writer made. */
    void sent(long entryId, long digestOfBytes) {
        Long known = contents.putIfAbsent(entryId, digestOfBytes);
        require(known == null || known == digestOfBytes, Property.L12, entryId, "is sent with other bytes than before");
    }

    /** SEND, PRESENT and PUBLISH carry a last add confirmed, and bookies tell the highest they know. */
    void carried(long lastAddConfirmed) {
        if (lastAddConfirmed >= acknowledged) {
            wrong(Property.L10, lastAddConfirmed, "is carried as confirmed and was not acknowledged");
        }
    }

    /**
     * ACKNOWLEDGE: the caller is told, of ledgers that wait for it when the whole write quorum has answered. A recovery that replaced a bookie meanwhile has
     * taken one of those copies out of the metadata, and made sure of an ack quorum.
     */
    void acknowledged(long entryId, boolean awaitsAllCopies) {
        if (entryId != acknowledged) {
            wrong(Property.L2, entryId, "is acknowledged after " + (acknowledged - 1));
        }
        acknowledged = Math.max(acknowledged, entryId + 1);
        LedgerMetadata now = metadata;
        if (now == null) {
            return;
        }
        if (now.state() == LedgerState.CLOSED && entryId > now.lastEntryId()) {
            wrong(Property.L3, entryId, "is acknowledged and the ledger was closed at " + now.lastEntryId());
            return;
        }
        Quorums quorums = now.quorums();
        boolean needsAllCopies = awaitsAllCopies && now.state() == LedgerState.OPEN;
        if (holders(now, entryId) < (needsAllCopies ? quorums.writeQuorum() : quorums.ackQuorum())) {
            wrong(
                    Property.L2,
                    entryId,
                    "is acknowledged with " + holders(now, entryId) + " copies on the bookies that metadata names");
        }
    }

    // ---- metadata ----

    /** A compare-and-set took effect. */
    void replaced(LedgerMetadata before, LedgerMetadata after) {
        metadata = after;
        switch (before.state()) {
            case OPEN -> replacedOpen(before, after);
            case IN_RECOVERY -> replacedInRecovery(before, after);
            case CLOSED -> {}
        }
    }

    private void replacedOpen(LedgerMetadata before, LedgerMetadata after) {
        boolean hasSameFragments = before.fragments().equals(after.fragments());
        switch (after.state()) {
            case OPEN -> {
                if (!hasSameFragments) {
                    changed(before, after);
                }
            }
            case IN_RECOVERY -> require(hasSameFragments, Property.L8, -1, "recovery begins and changes fragments");
            case CLOSED -> {
                long end = after.lastEntryId();
                require(
                        end == acknowledged - 1,
                        Property.L3,
                        end,
                        "is where the writer closes; acknowledged is " + (acknowledged - 1));
                require(hasSameFragments, Property.L8, end, "is where the writer closes, and it changes fragments");
            }
        }
    }

    /** WRITE_CHANGE: it begins right behind what is acknowledged, which stood still meanwhile, and changes nothing before. */
    private void changed(LedgerMetadata before, LedgerMetadata after) {
        long first = after.lastFragment().firstEntryId();
        require(
                first == acknowledged,
                Property.L9,
                first,
                "is where the ensemble changes; acknowledged is " + (acknowledged - 1));
        require(
                below(first, before).equals(below(first, after)),
                Property.L8,
                first,
                "is where the ensemble changes, and it changes before that too");
    }

    private static List<Fragment> below(long entryId, LedgerMetadata metadata) {
        return metadata.fragments().stream()
                .filter(fragment -> fragment.firstEntryId() < entryId)
                .toList();
    }

    private void replacedInRecovery(LedgerMetadata before, LedgerMetadata after) {
        if (after.state() == LedgerState.CLOSED) {
            recovered(before, after);
        } else {
            wrong(Property.L8, -1, "metadata in recovery is replaced and stays " + after.state());
        }
    }

    /** RECOVERY_CLOSES. */
    private void recovered(LedgerMetadata before, LedgerMetadata after) {
        long end = after.lastEntryId();
        require(
                end >= acknowledged - 1,
                Property.L3,
                acknowledged - 1,
                "was acknowledged and the ledger is closed at " + end);
        Fragment asked = before.lastFragment();
        for (int start = 0; start < before.quorums().ensembleSize(); start++) {
            long fences = writeSet(before, asked, start).stream()
                    .filter(fenced::contains)
                    .count();
            require(
                    fences >= before.quorums().cover(),
                    Property.L5,
                    end,
                    "is a decided end and only " + fences + " members of a write set were fenced");
        }
        long denials = writeSet(before, asked, end + 1).stream()
                .filter(bookie -> of(denied, bookie).get((int) end + 1))
                .count();
        require(
                denials >= before.quorums().cover(),
                Property.L5,
                end + 1,
                "is beyond the end and only " + denials + " bookies denied it");
        for (long entryId = 0; entryId <= end; entryId++) {
            int holders = holders(after, entryId);
            require(
                    holders >= after.quorums().ackQuorum(),
                    Property.L2,
                    entryId,
                    "is part of the recovered ledger with " + holders + " copies on the bookies that metadata names");
        }
    }

    private int holders(LedgerMetadata named, long entryId) {
        int holders = 0;
        for (BookieId bookie : writeSet(named, named.fragmentOf(entryId), entryId)) {
            holders += of(stored, bookie).get((int) entryId) ? 1 : 0;
        }
        return holders;
    }

    private static List<BookieId> writeSet(LedgerMetadata named, Fragment fragment, long entryId) {
        int size = named.quorums().ensembleSize();
        return IntStream.range(0, named.quorums().writeQuorum())
                .mapToObj(i -> fragment.ensemble().get((int) ((entryId + i) % size)))
                .toList();
    }

    private static BitSet of(Map<BookieId, BitSet> sets, BookieId bookie) {
        return sets.computeIfAbsent(bookie, none -> new BitSet());
    }

    private void require(boolean condition, Property property, long entryId, String what) {
        if (!condition) {
            wrong(property, entryId, what);
        }
    }

    private void wrong(Property property, long entryId, String what) {
        wrongs++;
        if (wrongs <= VIOLATIONS_MAX) {
            violations.accept(new Violation(CHECK, ledgerId, entryId, property + ": " + what));
        }
    }
}
