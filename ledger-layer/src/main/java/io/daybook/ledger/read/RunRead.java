// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.bookies.ReadListener;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.Situations;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.model.Fragment;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a run of entries that one bookie keeps, from one member of the write set of its first entry after the other until one gives sound bytes. When one
 * is late the next is asked as well, and the first sound answer counts.
 *
 * <p><i>Threading:</i> confined to its reader's loop.
 */
final class RunRead {
    private final Source source;
    private final ReadRange range;
    private final Receiver receiver;
    private final List<Integer> order;
    private final List<StatusCode> refusals = new ArrayList<>();
    private @Nullable Timer hedge;
    private int asked;
    private boolean isDone;

    private RunRead(Source source, ReadRange range, int rotation, Receiver receiver) {
        this.source = source;
        this.range = range;
        this.receiver = receiver;
        this.order = order(rotation);
    }

    /** Where a run is read. */
    record Source(HandleContext context, long ledgerId, EntryForm form, WriteSets writeSets, Fragment fragment) {}

    /** Who reads. */
    interface Receiver {
        /** Called once, later. */
        void ended(Result result);

        /** Whether anybody still waits for it: if not, bookies that were not asked yet are not. */
        boolean isWanted();
    }

    /**
     * How the read of a run ended.
     *
     * @param entries at least one, or none when every member refused
     * @param refusals what the members answered that gave none, in the order in which they answered
     */
    record Result(ReadEntries entries, List<StatusCode> refusals) {
        /** Whether every member that keeps the entry denies it. */
        boolean isDeniedByAll() {
            return entries.isEmpty() && refusals.stream().allMatch(StatusCode::isProofOfAbsence);
        }

        /** Whether every member has only a damaged copy. */
        boolean isDamagedEverywhere() {
            return areAll(StatusCode.CORRUPT);
        }

        /** Whether every member was too busy. */
        boolean isBusyEverywhere() {
            return areAll(StatusCode.BUSY);
        }

        private boolean areAll(StatusCode refusal) {
            return entries.isEmpty() && refusals.stream().allMatch(status -> status == refusal);
        }
    }

    /** Begins. */
    static void start(Source source, ReadRange range, int rotation, Receiver receiver) {
        source.context.links().pace().requested();
        new RunRead(source, range, rotation, receiver).askNext();
    }

    /** How long a run can be at best. */
    static long runMax(WriteSets writeSets, long firstEntryId) {
        int longest = writeSets.slotAt(firstEntryId, writeSets.quorums().writeQuorum() - 1);
        return writeSets.runOf(longest, firstEntryId);
    }

    /**
     * Without striping the members take turns; with it the one that keeps the longest run comes first. Slow ones come later, those that did not
     * answer lately last.
     */
    private List<Integer> order(int rotation) {
        WriteSets writeSets = source.writeSets;
        int copies = writeSets.quorums().writeQuorum();
        boolean striped = copies < writeSets.quorums().ensembleSize();
        List<Integer> slots = new ArrayList<>();
        List<Integer> suspects = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            int place = striped ? copies - 1 - i : Math.floorMod(rotation + i, copies);
            int slot = writeSets.slotAt(range.firstEntryId(), place);
            (source.context.links().isSuspect(bookie(slot)) ? suspects : slots).add(slot);
        }
        preferFast(slots);
        slots.addAll(suspects);
        return slots;
    }

    /** Moves the first to the end of those that are much faster. */
    private void preferFast(List<Integer> slots) {
        for (int i = 0; i + 1 < slots.size(); i++) {
            if (source.context
                    .links()
                    .pace()
                    .isSlower(
                            bookie(slots.get(i)),
                            bookie(slots.get(i + 1)),
                            source.context.loop().nanoTime())) {
                Collections.swap(slots, i, i + 1);
            }
        }
    }

    private BookieId bookie(int slot) {
        return source.fragment.ensemble().get(slot);
    }

    private void askNext() {
        int slot = order.get(asked);
        asked++;
        long run = source.writeSets.runOf(slot, range.firstEntryId());
        int timeoutMillis = source.context.timeouts().readMillis();
        ReadRequest request = new ReadRequest(
                0,
                source.ledgerId,
                range.firstEntryId(),
                (int) Math.min(Math.min(run, range.count()), Limits.READ_COUNT_MAX),
                Math.min(range.bytesMax(), Limits.READ_BYTES_MAX),
                ReadRequest.FLAG_UNCONFIRMED,
                0,
                timeoutMillis);
        source.context.links().read(bookie(slot), request, new Asked(slot));
        hedgeLater();
    }

    private void hedgeLater() {
        stopHedge();
        if (asked < order.size()) {
            long delay = source.context
                    .links()
                    .pace()
                    .hedgeNanos(bookie(order.get(asked)), source.context.loop().nanoTime());
            hedge = source.context.loop().schedule(delay, this::onLate);
        }
    }

    private void onLate() {
        hedge = null;
        if (receiver.isWanted() && source.context.links().pace().tryHedge()) {
            source.context.faults().reached(Situations.READ_HEDGED);
            askNext();
        }
    }

    private void stopHedge() {
        if (hedge != null) {
            hedge.cancel();
            hedge = null;
        }
    }

    private void onAnswer(int slot, ReadAnswer answer, ByteBuf frame) {
        if (isDone) {
            return;
        }
        ReadEntries entries = ReadEntries.soundPrefix(answer, frame, source.form, range.lastEntryId());
        boolean damaged = entries.list().size() < Math.min(answer.count(), range.count());
        if (damaged || answer.status() == StatusCode.CORRUPT) {
            long entryId = range.firstEntryId() + entries.list().size();
            source.context.damage().damaged(source.ledgerId, entryId, bookie(slot));
        }
        if (entries.isEmpty()) {
            refusals.add(refusalOf(answer));
            if (asked < order.size() && receiver.isWanted()) {
                askNext();
                return;
            }
        }
        if (!entries.isEmpty() || refusals.size() == asked) {
            isDone = true;
            stopHedge();
            receiver.ended(new Result(entries, refusals));
        }
    }

    /** What one member is asked. */
    private final class Asked implements ReadListener {
        private final int slot;

        Asked(int slot) {
            this.slot = slot;
        }

        @Override
        public void answered(ReadAnswer answer, ByteBuf frame) {
            onAnswer(slot, answer, frame);
        }

        @Override
        public boolean isWanted() {
            return !isDone && receiver.isWanted();
        }
    }

    private static StatusCode refusalOf(ReadAnswer answer) {
        if (answer.status() != StatusCode.OK) {
            return answer.status();
        }
        return answer.count() > 0 ? StatusCode.CORRUPT : StatusCode.UNKNOWN_STATE;
    }
}
