// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.verify;

import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamSettings.TransactionIdMode;
import io.daybook.stream.DLSN;
import io.daybook.stream.PositionedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Holds the records of a stream, as they are read in order, against each other and at last against what the metadata says of its segments. */
final class RecordCheck {
    /** Faults that are told one by one. */
    private static final int FAULTS_MAX = 100;

    private final TransactionIdMode mode;
    private final Map<Long, Tally> tallies = new HashMap<>();
    private final List<String> faults = new ArrayList<>();
    private Optional<PositionedRecord> last = Optional.empty();
    private boolean isWhole = true;
    private long count;
    private long faultCount;

    RecordCheck(TransactionIdMode mode) {
        this.mode = mode;
    }

    /** The next record that was read. */
    void accept(PositionedRecord record) {
        last.ifPresent(before -> follows(before, record));
        tallies.computeIfAbsent(record.position().segment(), segment -> new Tally(record))
                .add(record);
        last = Optional.of(record);
        count++;
    }

    private void follows(PositionedRecord before, PositionedRecord record) {
        DLSN position = record.position();
        if (position.compareTo(before.position()) <= 0) {
            fault("record " + position + " was read after " + before.position());
        }
        if (record.sequenceId() != before.sequenceId() + 1) {
            fault("record " + position + " has sequence id " + record.sequenceId() + ", and the one before it, "
                    + before.position() + ", has " + before.sequenceId());
        }
        boolean isInOrder = mode == TransactionIdMode.STRICT
                ? record.transactionId() > before.transactionId()
                : record.transactionId() >= before.transactionId();
        if (!isInOrder) {
            fault("record " + position + " has transaction id " + record.transactionId() + ", and the one before it, "
                    + before.position() + ", has " + before.transactionId());
        }
    }

    /** What was read was truncated before it was read to its end: what is left is read anew. */
    void anew() {
        tallies.clear();
        last = Optional.empty();
        count = 0;
    }

    /** Reading ended with a failure that will not pass: what stands behind it was not read and is not compared. */
    void unreadable(String failure) {
        isWhole = false;
        fault(last.map(record -> "after record " + record.position() + ": ").orElse("") + failure);
    }

    /**
     * All were read: compares them with a segment whose bounds are for ever.
     *
     * @param firstKept the first position of the stream that is not truncated, not beyond this segment
     */
    void completed(SegmentMetadata segment, DLSN firstKept) {
        if (!isWhole) {
            return;
        }
        Tally tally = tallies.getOrDefault(segment.number(), Tally.NONE);
        boolean isCut = firstKept.compareTo(new DLSN(segment.number(), 0, 0)) > 0;
        if (isCut && firstKept.compareTo(end(segment)) > 0) {
            return;
        }
        if (!isCut) {
            compare(segment, "records", segment.recordCount(), tally.count);
            compare(segment, "as its first transaction id", segment.firstTransactionId(), tally.firstTransactionId);
            if (tally.count > 0) {
                compare(segment, "as its first sequence id", segment.firstSequenceId(), tally.firstSequenceId);
            }
        }
        compare(segment, "as its last transaction id", segment.lastTransactionId(), tally.lastTransactionId);
        if (segment.recordCount() > 0 && !end(segment).equals(tally.last)) {
            fault("segment " + segment.number() + " ends at " + end(segment) + " by its metadata and at " + tally.last
                    + " as it was read");
        }
    }

    private static DLSN end(SegmentMetadata segment) {
        return new DLSN(segment.number(), Math.max(0, segment.lastEntryId()), Math.max(0, segment.lastSlot()));
    }

    /** Copies of a segment were looked at up to an entry: none that was read may stand behind it. */
    void lookedAt(SegmentMetadata segment, long lastEntryId) {
        Tally tally = tallies.getOrDefault(segment.number(), Tally.NONE);
        if (tally.count > 0 && tally.last.entry() > lastEntryId) {
            fault("segment " + segment.number() + " was read up to entry " + tally.last.entry()
                    + ", and too few bookies tell of the copies behind entry " + lastEntryId);
        }
    }

    /** A segment is kept, and its ledger is not there. */
    void withoutLedger(long segment) {
        fault("the ledger of segment " + segment + " is gone");
    }

    private void compare(SegmentMetadata segment, String what, long told, long read) {
        if (told != read) {
            fault("segment " + segment.number() + " has " + told + ' ' + what + " by its metadata and " + read
                    + " as it was read");
        }
    }

    private void fault(String text) {
        faultCount++;
        if (faults.size() < FAULTS_MAX) {
            faults.add(text);
        }
    }

    /** How many records were read. */
    long count() {
        return count;
    }

    /** How many contradictions were found. */
    long faultCount() {
        return faultCount;
    }

    /** The first hundred of them. */
    List<String> faults() {
        return faults;
    }

    /** What was read of one segment. */
    private static final class Tally {
        private static final DLSN NOWHERE = new DLSN(0, 0, 0);
        static final Tally NONE = new Tally(-1, -1);

        private final long firstTransactionId;
        private final long firstSequenceId;
        private long lastTransactionId = -1;
        private DLSN last = NOWHERE;
        private long count;

        Tally(PositionedRecord first) {
            this(first.transactionId(), first.sequenceId());
        }

        private Tally(long firstTransactionId, long firstSequenceId) {
            this.firstTransactionId = firstTransactionId;
            this.firstSequenceId = firstSequenceId;
        }

        void add(PositionedRecord record) {
            lastTransactionId = record.transactionId();
            last = record.position();
            count++;
        }
    }
}
