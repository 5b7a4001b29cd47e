// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import io.daybook.runtime.Faults;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads back what a journal holds from its mark on.
 *
 * <p>Where a file stops to make sense there are three cases (B9). If a later commit exists, or a later file, then the bytes there were once durable
 * (one commit is in flight at a time) and are damaged now: {@link JournalDamagedException}, and nothing is told of any file. If the bytes are of an
 * earlier use of the file, or zeros, the journal ends there. Otherwise it ends there with a commit torn by a crash, none of which was acknowledged;
 * the whole records at its start are told, the rest is dropped.
 *
 * <p>When the operator has accepted the damage, or it is only looked, everything that is whole is told, what is not is passed over, and
 * {@link End#isDamaged} says so. Sound records of an unknown type are never passed over.
 *
 * <p><i>Threading:</i> blocks; a storage loop.
 */
public final class JournalReplay {
    /** The fault point of a journal whose records are not checked. */
    public static final String UNCHECKED_RECORDS = "D16-unchecked-records";

    private static final int PIECE_BYTES = 1024 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(JournalReplay.class);

    private final Disk disk;
    private final BookieId bookieId;
    private final JournalCount journals;
    private final Checksum checksum = new Checksum();
    private final Optional<Consumer<String>> passedOver;
    private final boolean trustsBodies;
    private ByteBuffer image = ByteBuffer.allocate(0);

    /** The file that the image holds; empty for none. */
    private String imageOf = "";

    private boolean isDamaged;

    /** Over the ring files of a disk. */
    public JournalReplay(Disk disk, BookieId bookieId, JournalCount journals) {
        this(disk, bookieId, journals, Optional.empty(), Faults.NONE);
    }

    /**
     * Over the ring files of a disk.
     *
     * @param journals how many the bookie has, of which this is one
     * @param passedOver told of what is damaged, which is passed over then, more than once of some; empty when damage ends the replay
     */
    public JournalReplay(
            Disk disk, BookieId bookieId, JournalCount journals, Optional<Consumer<String>> passedOver, Faults faults) {
        this.disk = disk;
        this.bookieId = bookieId;
        this.journals = journals;
        this.passedOver = passedOver;
        this.trustsBodies = faults.at(UNCHECKED_RECORDS);
    }

    private void damaged(String what) {
        passedOver.orElseThrow(() -> new JournalDamagedException(what)).accept(what);
        isDamaged = true;
    }

    /**
     * Tells the target everything from the incarnation {@code mark} on.
     *
     * @param markSequence the lowest sequence that the first record can have
     * @return the last incarnation found (the one before {@code mark} if none) and the sequence after the last record
     */
    public End replay(List<String> names, int mark, long markSequence, ReplayTarget target) {
        List<Scan> scans = new ArrayList<>();
        for (String name : names) {
            Scan scan = scan(name, mark);
            if (scan != null) {
                scans.add(scan);
            }
        }
        scans.sort(Comparator.comparingInt(scan -> scan.incarnation));
        checkComplete(scans, mark, markSequence);
        End end = new End(mark - journals.count(), markSequence, 0, false);
        for (Scan scan : scans) {
            if (!scan.name.equals(imageOf)) {
                read(scan.name);
            }
            target.fileBegins(scan.incarnation, image.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN));
            tell(scan, target);
            target.fileEnds(scan.nextSequence);
            LOG.info(
                    "file={} incarnation={} records={} position={} state=REPLAYED end={}",
                    scan.name,
                    scan.incarnation,
                    scan.nextSequence - scan.firstSequence,
                    scan.endPosition,
                    scan.torn ? "torn commit dropped" : "end of commits");
            long nextSequence = Math.max(end.nextSequence(), scan.nextSequence);
            end = new End(scan.incarnation, nextSequence, end.bytes() + scan.endPosition, isDamaged);
        }
        return new End(end.incarnation(), end.nextSequence(), end.bytes(), isDamaged);
    }

    /**
     * Where a journal ends.
     *
     * @param bytes of all records that were told
     * @param isDamaged whether records that were durable are lost, which the operator accepted
     */
    public record End(int incarnation, long nextSequence, long bytes, boolean isDamaged) {}

    /** What was found in one file. */
    private static final class Scan {
        private final String name;
        private final int incarnation;
        private final long firstSequence;
        private final long provenSequence;
        private long nextSequence;
        private int endPosition;
        private boolean torn;

        private Scan(String name, int incarnation, long firstSequence, long provenSequence) {
            this.name = name;
            this.incarnation = incarnation;
            this.firstSequence = firstSequence;
            this.provenSequence = provenSequence;
            this.nextSequence = firstSequence;
        }
    }

    private void checkComplete(List<Scan> scans, int mark, long markSequence) {
        long expected = markSequence;
        int incarnation = mark;
        Scan before = null;
        for (Scan scan : scans) {
            if (scan.incarnation != incarnation) {
                damaged("the journal file of incarnation " + incarnation
                        + " is missing or damaged at position 0, but " + scan.name + " of incarnation "
                        + scan.incarnation + " shows that it was in use");
            } else if (before != null && scan.provenSequence >= before.nextSequence) {
                damagedBelowProven(before, scan.name);
            } else if (scan.firstSequence != expected) {
                damaged("journal file " + scan.name + " begins with record " + scan.firstSequence + " instead of "
                        + expected);
            }
            expected = scan.nextSequence;
            incarnation = journals.incarnationAfter(scan.incarnation);
            before = scan;
        }
    }

    private void damagedBelowProven(Scan scan, String prover) {
        damaged("journal file " + scan.name + " is damaged at position " + scan.endPosition + ": record "
                + scan.nextSequence + " cannot be read, but " + prover + " shows that it was durable");
    }

    /** Looks through a file; null when nothing of {@code mark} or later is in it. */
    private @Nullable Scan scan(String name, int mark) {
        int block = disk.blockBytes();
        ByteBuffer head = readHead(name, block);
        boolean hasHead = JournalFormat.isCommit(head, 0, bookieId, checksum);
        if (hasHead && JournalFormat.incarnation(head, 0) < mark) {
            return null;
        }
        int first = hasHead ? 0 : laterCommit(name, mark);
        if (first < 0) {
            return null;
        }
        read(name);
        Scan scan = new Scan(
                name,
                JournalFormat.incarnation(image, first),
                JournalFormat.sequence(image, first),
                JournalFormat.provenSequence(image, first));
        walk(scan, null);
        for (int at = JournalFormat.roundUp(scan.endPosition, block); at < image.limit(); at += block) {
            boolean proves = JournalFormat.isCommit(image, at, bookieId, checksum)
                    && JournalFormat.incarnation(image, at) == scan.incarnation
                    && JournalFormat.provenSequence(image, at) >= scan.nextSequence;
            if (proves) {
                damagedBelowProven(scan, "the commit at position " + at);
            }
        }
        return scan;
    }

    /**
     * Where the first commit of {@code mark} or later stands in a file whose beginning is damaged or was never written; -1 when there is none. Most such
     * files were never used, so their bytes are looked at in pieces and not kept.
     */
    private int laterCommit(String name, int mark) {
        int block = disk.blockBytes();
        ByteBuffer piece = ByteBuffer.allocateDirect(JournalFormat.roundUp(PIECE_BYTES, block))
                .order(ByteOrder.LITTLE_ENDIAN);
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            long size = file.size();
            for (long start = 0; start < size; start += piece.capacity()) {
                piece.clear();
                file.read(start, piece);
                piece.flip();
                int at = commitIn(piece, start == 0 ? block : 0, mark);
                if (at >= 0) {
                    damaged("journal file " + name + " is damaged at position 0: the commit at position " + (start + at)
                            + " shows that it was durable");
                    return (int) (start + at);
                }
            }
        }
        return -1;
    }

    /** Where in {@code bytes}, from {@code from} on, the first commit of {@code mark} or later stands; -1 when there is none. */
    private int commitIn(ByteBuffer bytes, int from, int mark) {
        for (int at = from; at < bytes.limit(); at += disk.blockBytes()) {
            if (JournalFormat.isCommit(bytes, at, bookieId, checksum) && JournalFormat.incarnation(bytes, at) >= mark) {
                return at;
            }
        }
        return -1;
    }

    private void tell(Scan scan, ReplayTarget target) {
        Scan again = new Scan(scan.name, scan.incarnation, scan.firstSequence, scan.provenSequence);
        walk(again, target);
    }

    /** Goes over the commits of a file: up to the first that is not whole, or, when damage is accepted, over all that are. */
    private void walk(Scan scan, @Nullable ReplayTarget target) {
        int block = disk.blockBytes();
        int at = 0;
        while (at < image.limit()) {
            int end = -1;
            if (isNextCommit(scan, at)) {
                end = walkCommit(scan, at, target);
                scan.torn = end < 0;
            } else if (passedOver.isEmpty()) {
                scan.endPosition = at;
                return;
            }
            if (end < 0 && passedOver.isEmpty()) {
                return;
            }
            at = end < 0 ? at + block : JournalFormat.roundUp(end, block);
            scan.endPosition = end < 0 ? scan.endPosition : at;
        }
    }

    private boolean isNextCommit(Scan scan, int at) {
        return at < image.limit()
                && JournalFormat.isCommit(image, at, bookieId, checksum)
                && JournalFormat.incarnation(image, at) == scan.incarnation
                && isInTurn(scan, JournalFormat.sequence(image, at));
    }

    /** Whether a commit that begins with that record can follow what was found so far. */
    private boolean isInTurn(Scan scan, long sequence) {
        if (passedOver.isPresent() && sequence > scan.nextSequence) {
            if (scan.endPosition > 0) {
                damaged("journal file " + scan.name + " lacks records " + scan.nextSequence + " to " + (sequence - 1));
            }
            scan.nextSequence = sequence;
        }
        return sequence == scan.nextSequence;
    }

    /** Goes over the records of one commit; returns its end, or -1 when a record of it is not whole. */
    private int walkCommit(Scan scan, int commitAt, @Nullable ReplayTarget target) {
        long end = (long) commitAt + JournalFormat.commitBytes(image, commitAt);
        int records = JournalFormat.commitRecords(image, commitAt);
        int at = commitAt + JournalFormat.COMMIT_BYTES;
        for (int i = 0; i < records; i++) {
            boolean whole = at < image.limit()
                    && isSound(at, (int) Math.min(end, image.limit()))
                    && JournalFormat.incarnation(image, at) == scan.incarnation
                    && JournalFormat.sequence(image, at) == scan.nextSequence;
            if (!whole) {
                scan.endPosition = at;
                return -1;
            }
            int type = JournalFormat.type(image, at);
            if (!JournalFormat.isKnown(type)) {
                throw JournalDamagedException.unknownType(type);
            }
            if (target != null) {
                tellRecord(at, target);
            }
            scan.nextSequence++;
            at += JournalFormat.recordBytes(JournalFormat.bodyBytes(image, at));
        }
        return at;
    }

    private boolean isSound(int at, int end) {
        return trustsBodies ? JournalFormat.hasHeader(image, at, end) : JournalFormat.isValid(image, at, end, checksum);
    }

    private void tellRecord(int at, ReplayTarget target) {
        int body = at + JournalFormat.HEADER_BYTES;
        switch (JournalFormat.type(image, at)) {
            case JournalFormat.ENTRY -> target.entry(body);
            case JournalFormat.FENCE -> target.fence(image.getLong(body));
            case JournalFormat.LIMBO -> target.limbo(image.getLong(body), image.getInt(body + 8));
            case JournalFormat.PUBLISHED -> target.published(image.getLong(body), image.getLong(body + 8));
            case JournalFormat.TOMBSTONE -> target.buried(image.getLong(body));
            default -> throw JournalDamagedException.unknownType(JournalFormat.type(image, at));
        }
    }

    private ByteBuffer readHead(String name, int block) {
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            ByteBuffer head = ByteBuffer.allocate(block).order(ByteOrder.LITTLE_ENDIAN);
            file.read(0, head);
            return head.clear();
        }
    }

    /** Reads a file into the image; what a shortened file lacks up to the next block reads as zeros. */
    private void read(String name) {
        int block = disk.blockBytes();
        imageOf = "";
        try (DiskFile file = disk.open(name, Disk.OpenMode.READ_ONLY)) {
            int size = JournalFormat.roundUp((int) Math.min(file.size(), Integer.MAX_VALUE / 2), block);
            if (image.capacity() < size) {
                image = ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
            }
            image.clear().limit(size);
            int read = file.read(0, image);
            while (image.hasRemaining()) {
                image.put((byte) 0);
            }
            image.flip();
            imageOf = name;
            if (read < size) {
                LOG.debug("file={} bytes={} state=SHORT", name, read);
            }
        }
    }
}
