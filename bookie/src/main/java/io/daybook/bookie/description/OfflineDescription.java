// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.description;

import io.daybook.bookie.checkpoint.Checkpoint;
import io.daybook.bookie.checkpoint.JournalCount;
import io.daybook.bookie.checkpoint.Mark;
import io.daybook.bookie.disk.ReadOnlyFlag;
import io.daybook.bookie.disk.Space;
import io.daybook.bookie.entrylog.LedgerFacts;
import io.daybook.bookie.journal.JournalDamagedException;
import io.daybook.bookie.journal.JournalReplay;
import io.daybook.bookie.journal.JournalRing;
import io.daybook.bookie.journal.ReplayTarget;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.bookie.limbo.DamageNotes;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryLayout;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.runtime.Disk;
import io.daybook.runtime.DiskException;
import io.daybook.runtime.Faults;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What the directories of a bookie that does not run tell of it: what its next start would find. Nothing is changed.
 *
 * <p><i>Threading:</i> blocks; one thread, once.
 */
public final class OfflineDescription {
    private final Places places;
    private final JournalCount journalCount;
    private final BookieId bookieId;
    private final Checkpoint checkpoint;
    private final LedgerTable table;
    private final List<String> problems = new ArrayList<>();

    /** A directory, and what it is for. */
    public record Place(String role, String path, Disk disk) {}

    /** The directories, in the order of their numbers. */
    public record Places(List<Place> data, List<Place> journals) {
        /** Copies the lists. */
        public Places {
            data = List.copyOf(data);
            journals = List.copyOf(journals);
        }

        private Stream<Place> all() {
            return Stream.concat(data.stream(), journals.stream());
        }
    }

    /**
     * Of a bookie with those directories.
     *
     * @param table with what the index says; what the journals say is added
     */
    public OfflineDescription(Places places, BookieId bookieId, Checkpoint checkpoint, LedgerTable table) {
        this.places = places;
        this.journalCount = new JournalCount(places.journals().size());
        this.bookieId = bookieId;
        this.checkpoint = checkpoint;
        this.table = table;
    }

    /** All of it; throws {@link io.daybook.runtime.DiskException}. */
    public BookieDescription describe() {
        Disk first = places.data().get(0).disk();
        DamageNotes notes = DamageNotes.read(first);
        ScrubNotes scrub = scrubNotes(first);
        table.covered(notes.coveredLogs());
        List<BookieDescription.Journal> journals = journals(notes.isAccepted());
        if (notes.isAccepted()) {
            problems.add("damage of the journals is accepted: the next start goes on without what is lost");
        }
        if (notes.isUnreadable()) {
            problems.add(
                    "the file " + DamageNotes.NAME + " cannot be read: the next start puts all ledgers into limbo");
        }
        problems.addAll(StoredFacts.doubts(table));
        return new BookieDescription(
                "",
                0,
                readOnlyBecause(notes.mustDoubt() || !table.isSound(), ReadOnlyFlag.isSet(first)),
                problems,
                places.all().map(OfflineDescription::directory).toList(),
                journals,
                StoredFacts.logs(table),
                StoredFacts.ledgers(table),
                new BookieDescription.Index(table.cache().bytes(), BookieDescription.UNKNOWN, 0),
                new BookieDescription.Scrub(scrub.damages().size(), scrub.rounds(), scrub.endedMillis()),
                new BookieDescription.Cleanup(0, "", 0, 0, 0, 0, 0, ""));
    }

    private ScrubNotes scrubNotes(Disk first) {
        try {
            return ScrubNotes.read(first);
        } catch (DiskException unreadable) {
            problems.add("what the search for damage has found is not known: " + unreadable.getMessage());
            return ScrubNotes.none();
        }
    }

    private static List<String> readOnlyBecause(boolean isInDoubt, boolean isForced) {
        List<String> reasons = new ArrayList<>();
        if (isInDoubt) {
            reasons.add(BookieDescription.ReadOnly.IN_DOUBT);
        }
        if (isForced) {
            reasons.add(BookieDescription.ReadOnly.FORCED);
        }
        return reasons;
    }

    private static BookieDescription.Directory directory(Place directory) {
        Space.Device device = Space.Device.of(directory.disk());
        return new BookieDescription.Directory(
                directory.role(), directory.path(), "", device.usableBytes(), device.totalBytes());
    }

    private List<BookieDescription.Journal> journals(boolean acceptsDamage) {
        List<BookieDescription.Journal> journals = new ArrayList<>();
        for (Place directory : places.journals()) {
            journals.add(journal(directory, checkpoint.mark(journals.size()), acceptsDamage));
        }
        return journals;
    }

    private BookieDescription.Journal journal(Place directory, Mark mark, boolean acceptsDamage) {
        List<String> names = JournalRing.names(directory.disk());
        JournalRing.lack(directory.disk(), mark, bookieId)
                .ifPresent(lack -> problems.add("in " + directory.path() + ": " + lack));
        Facts facts = new Facts();
        Set<String> lost = new LinkedHashSet<>();
        Optional<Consumer<String>> passedOver = acceptsDamage ? Optional.of(lost::add) : Optional.empty();
        try {
            JournalReplay.End end = new JournalReplay(directory.disk(), bookieId, journalCount, passedOver, Faults.NONE)
                    .replay(names, mark.incarnation(), mark.sequence(), facts);
            lost.forEach(damage -> problems.add(damaged(directory, damage)));
            return new BookieDescription.Journal(names.size(), names.size() - facts.files, end.bytes());
        } catch (JournalDamagedException damaged) {
            problems.add(damaged(directory, String.valueOf(damaged.getMessage())));
            return new BookieDescription.Journal(names.size(), 0, BookieDescription.UNKNOWN);
        }
    }

    private static String damaged(Place directory, String damage) {
        return "the journal in " + directory.path() + " is damaged: " + damage;
    }

    /** Takes in what a journal says of ledgers. */
    private final class Facts implements ReplayTarget {
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
        private int incarnation;
        private int files;

        @Override
        public void fileBegins(int fileIncarnation, ByteBuffer image) {
            incarnation = fileIncarnation;
            bytes = Unpooled.wrappedBuffer(image);
            files++;
        }

        @Override
        public void entry(int offset) {
            table.facts(new LedgerFacts(
                    EntryLayout.ledgerId(bytes, offset),
                    false,
                    EntryLayout.lastAddConfirmed(bytes, offset),
                    EntryLayout.entryId(bytes, offset)));
        }

        @Override
        public void fence(long ledgerId) {
            table.facts(new LedgerFacts(ledgerId, true, -1, -1));
        }

        @Override
        public void published(long ledgerId, long lastAddConfirmed) {
            table.facts(new LedgerFacts(ledgerId, false, lastAddConfirmed, -1));
        }

        @Override
        public void limbo(long ledgerId, int count) {
            table.facts(new LedgerFacts(ledgerId, false, -1, -1, count, 0));
        }

        @Override
        public void buried(long ledgerId) {
            table.facts(new LedgerFacts(ledgerId, false, -1, -1, 0, incarnation));
        }

        @Override
        public void fileEnds(long nextSequence) {
            bytes = Unpooled.EMPTY_BUFFER;
        }
    }
}
