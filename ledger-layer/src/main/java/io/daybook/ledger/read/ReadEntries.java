// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.protocol.wire.ReadAnswer;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Consecutive verified entries, as slices of the frames in which they came.
 *
 * <p><i>Invariants:</i> holds one reference of each frame until it is closed.
 */
final class ReadEntries implements LedgerEntries {
    private final List<Entry> entries = new ArrayList<>();
    private final List<ByteBuf> frames = new ArrayList<>();
    private long lastAddConfirmed;
    private long payloadBytes;
    private boolean isClosed;

    /** None yet. */
    ReadEntries(long lastAddConfirmed) {
        this.lastAddConfirmed = lastAddConfirmed;
    }

    /** The sound entries at the beginning of an answer, up to {@code lastEntryId}; retains the frame when there are any. */
    static ReadEntries soundPrefix(ReadAnswer answer, ByteBuf frame, EntryForm form, long lastEntryId) {
        ReadEntries read = new ReadEntries(answer.lastAddConfirmed());
        int at = frame.readerIndex() + ReadAnswer.ENTRIES_INDEX;
        for (int i = 0; i < answer.count() && answer.firstEntryId() + i <= lastEntryId; i++) {
            int bytes = frame.getIntLE(at);
            long id = answer.firstEntryId() + i;
            if (!form.isSound(frame, at + 4, bytes, id)) {
                break;
            }
            int header = form.payloadIndex();
            read.add(new Entry(answer.ledgerId(), id, frame.slice(at + 4 + header, bytes - header)));
            at += 4 + bytes;
        }
        if (!read.entries.isEmpty()) {
            read.frames.add(frame.retain());
        }
        return read;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** The id after the last one here. */
    long nextEntryId() {
        return entries.get(entries.size() - 1).entryId() + 1;
    }

    /** Appends the entries of {@code more} as far as they follow without a gap and fit into {@code bytesMax}, and closes it. Returns whether all were taken. */
    boolean absorb(ReadEntries more, long bytesMax) {
        boolean all = true;
        for (Entry entry : more.entries) {
            boolean follows = isEmpty() || entry.entryId() == nextEntryId();
            boolean fits = isEmpty() || payloadBytes + entry.payload().readableBytes() <= bytesMax;
            if (!follows || !fits) {
                all = false;
                break;
            }
            add(entry);
        }
        more.frames.forEach(frame -> frames.add(frame.retain()));
        lastAddConfirmed = Math.max(lastAddConfirmed, more.lastAddConfirmed);
        more.close();
        return all;
    }

    /** Makes sure that at least this much is told as confirmed. */
    ReadEntries confirmedAtLeast(long confirmed) {
        lastAddConfirmed = Math.max(lastAddConfirmed, confirmed);
        return this;
    }

    @Override
    public List<Entry> list() {
        return Collections.unmodifiableList(entries);
    }

    @Override
    public long lastAddConfirmed() {
        return lastAddConfirmed;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            frames.forEach(ByteBuf::release);
        }
    }

    private void add(Entry entry) {
        entries.add(entry);
        payloadBytes += entry.payload().readableBytes();
    }
}
