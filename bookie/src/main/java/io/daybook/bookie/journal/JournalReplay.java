// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.journal;

import io.daybook.bookie.disk.Checksum;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads back what the journal holds from a mark on.
 *
 * <p>Where a file stops to make sense there are three cases (B9). If a later commit exists, or a later file, then the bytes there were once durable
 * (one commit is in flight at a time) and are damaged now: {@link JournalDamagedException}, and nothing is told of any file. If the bytes are of an
 * earlier use of the file, or zeros, the journal ends there. Otherwise it ends there with a commit torn by a crash, none of which was acknowledged;
 * the whole records at its start are told, the rest is dropped.
 *
 * <p><i>Threading:</i> blocks; a storage loop.
 */
public final class JournalReplay {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReplay.class);

    private final Disk disk;
    private final BookieId bookieId;
    private final Checksum checksum = new Checksum();
    private ByteBuffer image = ByteBuffer.allocate(0);

    /** Over the ring files of a disk. */
    public JournalReplay(Disk disk, BookieId bookieId) {
        this.disk = disk;
        this.bookieId = bookieId;
    }

    /**
     * Tells the target everything from the incarnation {@code mark} on.
     *
     * @param markSequence the lowest sequence that the first record can have
     * @return the last incarnation found ({@code mark - 1} if none) and the sequence after the last record
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
        End end = new End(mark - 1, markSequence);
        for (Scan scan : scans) {
            read(scan.name);
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
            end = new End(scan.incarnation, scan.nextSequence);
        }
        return end;
    }

    /** Where a journal ends. */
    public record End(int incarnation, long nextSequence) {}

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
                throw new JournalDamagedException("the journal file of incarnation " + incarnation
                        + " is missing or damaged at position 0, but " + scan.name + " of incarnation "
                        + scan.incarnation + " shows that it was in use");
            }
            if (before != null && scan.provenSequence >= before.nextSequence) {
                throw damagedBelowProven(before, scan.name);
            }
            if (scan.firstSequence != expected) {
                throw new JournalDamagedException("journal file " + scan.name + " begins with record "
                        + scan.firstSequence + " instead of " + expected);
            }
            expected = scan.nextSequence;
            incarnation++;
            before = scan;
        }
    }

    private static JournalDamagedException damagedBelowProven(Scan scan, String prover) {
        return new JournalDamagedException("journal file " + scan.name + " is damaged at position " + scan.endPosition
                + ": record " + scan.nextSequence + " cannot be read, but " + prover + " shows that it was durable");
    }

    /** Looks through a file; null when nothing of {@code mark} or later is in it. */
    private @Nullable Scan scan(String name, int mark) {
        int block = disk.blockBytes();
        ByteBuffer head = readHead(name, block);
        boolean hasHead = JournalFormat.isCommit(head, 0, bookieId, checksum);
        if (hasHead && JournalFormat.incarnation(head, 0) < mark) {
            return null;
        }
        read(name);
        if (!hasHead) {
            refuseLaterCommits(name, mark);
            return null;
        }
        Scan scan = new Scan(
                name,
                JournalFormat.incarnation(image, 0),
                JournalFormat.sequence(image, 0),
                JournalFormat.provenSequence(image, 0));
        walk(scan, null);
        for (int at = JournalFormat.roundUp(scan.endPosition, block); at < image.limit(); at += block) {
            boolean proves = JournalFormat.isCommit(image, at, bookieId, checksum)
                    && JournalFormat.incarnation(image, at) == scan.incarnation
                    && JournalFormat.provenSequence(image, at) >= scan.nextSequence;
            if (proves) {
                throw damagedBelowProven(scan, "the commit at position " + at);
            }
        }
        return scan;
    }

    private void refuseLaterCommits(String name, int mark) {
        int block = disk.blockBytes();
        for (int at = block; at < image.limit(); at += block) {
            if (JournalFormat.isCommit(image, at, bookieId, checksum) && JournalFormat.incarnation(image, at) >= mark) {
                throw new JournalDamagedException("journal file " + name
                        + " is damaged at position 0: the commit at position " + at + " shows that it was durable");
            }
        }
    }

    private void tell(Scan scan, ReplayTarget target) {
        Scan again = new Scan(scan.name, scan.incarnation, scan.firstSequence, scan.provenSequence);
        walk(again, target);
    }

    /** Goes over the commits of a file up to the first that is not whole. */
    private void walk(Scan scan, @Nullable ReplayTarget target) {
        int block = disk.blockBytes();
        int at = 0;
        while (isNextCommit(scan, at)) {
            int end = walkCommit(scan, at, target);
            if (end < 0) {
                scan.torn = true;
                return;
            }
            at = JournalFormat.roundUp(end, block);
            scan.endPosition = at;
        }
        scan.endPosition = at;
    }

    private boolean isNextCommit(Scan scan, int at) {
        return at < image.limit()
                && JournalFormat.isCommit(image, at, bookieId, checksum)
                && JournalFormat.incarnation(image, at) == scan.incarnation
                && JournalFormat.sequence(image, at) == scan.nextSequence;
    }

    /** Goes over the records of one commit; returns its end, or -1 when a record of it is not whole. */
    private int walkCommit(Scan scan, int commitAt, @Nullable ReplayTarget target) {
        long end = (long) commitAt + JournalFormat.commitBytes(image, commitAt);
        int records = JournalFormat.commitRecords(image, commitAt);
        int at = commitAt + JournalFormat.COMMIT_BYTES;
        for (int i = 0; i < records; i++) {
            boolean whole = at < image.limit()
                    && JournalFormat.isValid(image, at, (int) Math.min(end, image.limit()), checksum)
                    && JournalFormat.incarnation(image, at) == scan.incarnation
                    && JournalFormat.sequence(image, at) == scan.nextSequence;
            if (!whole) {
                scan.endPosition = at;
                return -1;
            }
            if (target != null) {
                tellRecord(at, target);
            }
            scan.nextSequence++;
            at += JournalFormat.recordBytes(JournalFormat.bodyBytes(image, at));
        }
        return at;
    }

    private void tellRecord(int at, ReplayTarget target) {
        int body = at + JournalFormat.HEADER_BYTES;
        switch (JournalFormat.type(image, at)) {
            case JournalFormat.ENTRY -> target.entry(body);
            case JournalFormat.FENCE -> target.fence(image.getLong(body));
            case JournalFormat.LIMBO -> target.limbo(image.getLong(body), image.getInt(body + 8));
            case JournalFormat.PUBLISHED -> target.published(image.getLong(body), image.getLong(body + 8));
            case JournalFormat.TOMBSTONE -> target.buried(image.getLong(body));
            default ->
                throw new JournalDamagedException("a journal record of the unknown type "
                        + JournalFormat.type(image, at) + ": this journal was written by a newer version");
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
            if (read < size) {
                LOG.debug("file={} bytes={} state=SHORT", name, read);
            }
        }
    }
}
