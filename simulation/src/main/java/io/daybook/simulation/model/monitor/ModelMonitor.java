// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.AddRequest;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.runtime.simulated.network.FrameWatch;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.zip.CRC32;

/**
 * Follows a simulated run as a refinement of the protocol model: the frames that bookies and clients send, the compare-and-sets that take effect and the
 * acknowledgements that callers are told are mapped to the model's steps on the abstract state of each ledger ({@link LedgerTrace}), and a step that the model
 * does not allow is reported when it happens (L2, L3, L5, L6, L8, L9, L10, L12).
 *
 * <p>It is a monitor of abstract steps, not a search for a run of the whole model: what recoverers keep to themselves is not seen.
 *
 * <p><i>Threading:</i> the thread that drives the world.
 */
public final class ModelMonitor implements FrameWatch {
    private final Function<String, Optional<BookieId>> bookieOn;
    private final LongPredicate isDeleted;
    private final LongPredicate awaitsAllCopies;
    private final LongFunction<LedgerMetadata> metadataOf;
    private final Map<Long, LedgerTrace> ledgers = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();

    /**
     * Has seen nothing yet.
     *
     * @param bookieOn the bookie that lives on a machine now; empty for a machine of clients
     * @param isDeleted whether somebody deletes a ledger, so that bookies may forget it
     * @param awaitsAllCopies whether an acknowledgement of a ledger waits for its write quorum
     * @param metadataOf what a ledger's metadata is now
     */
    public ModelMonitor(
            Function<String, Optional<BookieId>> bookieOn,
            LongPredicate isDeleted,
            LongPredicate awaitsAllCopies,
            LongFunction<LedgerMetadata> metadataOf) {
        this.bookieOn = bookieOn;
        this.isDeleted = isDeleted;
        this.awaitsAllCopies = awaitsAllCopies;
        this.metadataOf = metadataOf;
    }

    /** Steps that the model does not allow. */
    public List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    /** A change of metadata took effect, whether its author knows or not. */
    public void replaced(LedgerMetadata before, LedgerMetadata after) {
        if (!isDeleted.test(after.ledgerId())) {
            ledger(after.ledgerId()).replaced(before, after);
        }
    }

    /** The writer's caller was told that an entry is acknowledged. */
    public void acknowledged(long ledgerId, long entryId) {
        if (!isDeleted.test(ledgerId)) {
            LedgerTrace ledger = ledger(ledgerId);
            if (ledger.isNew()) {
                ledger.created(metadataOf.apply(ledgerId));
            }
            ledger.acknowledged(entryId, awaitsAllCopies.test(ledgerId));
        }
    }

    @Override
    public void sent(String from, String to, byte[] bytes, long nanos) {
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        Optional<BookieId> bookie = bookieOn.apply(from);
        if (bookie.isPresent()) {
            answered(bookie.get(), frame);
        } else {
            asked(frame);
        }
    }

    private void asked(ByteBuf frame) {
        switch (MessageType.of(frame)) {
            case ADD -> {
                int entry = frame.readerIndex() + AddRequest.ENTRY_INDEX;
                carried(AddRequest.ledgerId(frame), EntryLayout.lastAddConfirmed(frame, entry));
                sent(frame, entry);
            }
            case PUBLISH -> {
                PublishRequest request = PublishRequest.read(frame);
                carried(request.ledgerId(), request.lastAddConfirmed());
            }
            default -> {}
        }
    }

    private void sent(ByteBuf frame, int entry) {
        long ledgerId = AddRequest.ledgerId(frame);
        if (!isDeleted.test(ledgerId)) {
            CRC32 bytes = new CRC32();
            bytes.update(frame.nioBuffer(entry, frame.writerIndex() - entry));
            ledger(ledgerId).sent(AddRequest.entryId(frame), bytes.getValue());
        }
    }

    /** What a late writer of a deleted ledger was told is not counted, so what it carries is not held against that. */
    private void carried(long ledgerId, long lastAddConfirmed) {
        if (!isDeleted.test(ledgerId)) {
            ledger(ledgerId).carried(lastAddConfirmed);
        }
    }

    private void answered(BookieId bookie, ByteBuf frame) {
        switch (MessageType.of(frame)) {
            case ADD_ACK -> {
                AddAck ack = AddAck.read(frame);
                if (ack.status() == StatusCode.OK) {
                    added(bookie, ack);
                }
            }
            case FENCE_ANSWER -> {
                FenceAnswer answer = FenceAnswer.read(frame);
                if (answer.status() == StatusCode.OK) {
                    ledger(answer.ledgerId()).fenced(bookie);
                    carried(answer.ledgerId(), answer.lastAddConfirmed());
                }
            }
            case READ_ANSWER -> read(bookie, ReadAnswer.read(frame));
            default -> {}
        }
    }

    /** A bookie that lost what it knew of a deleted ledger may take what a late writer of it sends. */
    private void added(BookieId bookie, AddAck ack) {
        if (isDeleted.test(ack.ledgerId())) {
            return;
        }
        LedgerTrace ledger = ledger(ack.ledgerId());
        if ((ack.flags() & AddRequest.FLAG_RECOVERY) == 0) {
            ledger.stored(bookie, ack.firstEntryId(), ack.count());
        } else {
            ledger.copied(bookie, ack.firstEntryId(), ack.count());
        }
    }

    private void read(BookieId bookie, ReadAnswer answer) {
        carried(answer.ledgerId(), answer.lastAddConfirmed());
        if (answer.isFenced()) {
            ledger(answer.ledgerId()).fenced(bookie);
            if (answer.count() == 0 && answer.status().isProofOfAbsence() && !isDeleted.test(answer.ledgerId())) {
                ledger(answer.ledgerId()).denied(bookie, answer.firstEntryId());
            }
        }
    }

    private LedgerTrace ledger(long ledgerId) {
        return ledgers.computeIfAbsent(ledgerId, id -> new LedgerTrace(id, violations::add));
    }
}
