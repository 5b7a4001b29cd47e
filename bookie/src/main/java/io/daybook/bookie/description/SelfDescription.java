// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.description;

import io.daybook.bookie.cleanup.Cleanup;
import io.daybook.bookie.cleanup.CleanupReport;
import io.daybook.bookie.disk.Space;
import io.daybook.bookie.index.pages.PageCache;
import io.daybook.bookie.journal.Journals;
import io.daybook.bookie.ledgers.LedgerTable;
import io.daybook.bookie.scrub.Scrub;
import io.daybook.bookie.scrub.ScrubNotes;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.runtime.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a running bookie tells of itself. It is made anew at most once a second, however often somebody asks, because all ledgers are looked at for it.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class SelfDescription {
    private static final long AGE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop core;
    private final Names names;
    private final Parts parts;
    private long servingSinceMillis;
    private long madeNanos;
    private @Nullable BookieDescription made;

    /** How the directories are called: their paths in the order of their numbers. */
    public record Names(List<String> data, List<String> journals) {
        /** Copies the lists. */
        public Names {
            data = List.copyOf(data);
            journals = List.copyOf(journals);
        }
    }

    /** What is described. */
    public record Parts(LedgerTable table, Journals journals, Cleanup cleanup, Scrub scrub) {}

    /** Of a bookie that does not serve yet. */
    public SelfDescription(EventLoop core, Names names, Parts parts) {
        this.core = core;
        this.names = names;
        this.parts = parts;
    }

    /** It serves from now on. */
    public void serving() {
        servingSinceMillis = core.wallMillis();
    }

    /**
     * The description, of now or of a second ago.
     *
     * @param space as it was looked at last
     * @param readOnlyBecause why no new entries are taken
     */
    public BookieDescription of(Space space, List<String> readOnlyBecause) {
        BookieDescription last = made;
        if (last != null && core.nanoTime() - madeNanos < AGE_NANOS_MAX) {
            return last;
        }
        PageCache index = parts.table().cache();
        BookieDescription next = new BookieDescription(
                version(),
                servingSinceMillis,
                readOnlyBecause,
                StoredFacts.doubts(parts.table()),
                directories(space),
                parts.journals().fills().stream()
                        .map(fill -> new BookieDescription.Journal(fill.files(), fill.freeFiles(), fill.neededBytes()))
                        .toList(),
                StoredFacts.logs(parts.table()),
                StoredFacts.ledgers(parts.table()),
                new BookieDescription.Index(index.bytes(), index.bytesMax(), index.coldPages()),
                scrub(parts.scrub().notes()),
                cleanup(parts.cleanup().report()));
        made = next;
        madeNanos = core.nanoTime();
        return next;
    }

    /** That of the archive the program runs from; empty when it runs from none. */
    private static String version() {
        String version = SelfDescription.class.getPackage().getImplementationVersion();
        return version == null ? "" : version;
    }

    private List<BookieDescription.Directory> directories(Space space) {
        List<BookieDescription.Directory> all = new ArrayList<>();
        for (int i = 0; i < names.data().size(); i++) {
            Space.@Nullable Device device =
                    i < space.data().size() ? space.data().get(i) : null;
            String state = device == null ? "" : device.level().name().toLowerCase(Locale.ROOT);
            all.add(directory("data-" + i, names.data().get(i), state, device));
        }
        for (int i = 0; i < names.journals().size(); i++) {
            Space.@Nullable Device device =
                    i < space.journals().size() ? space.journals().get(i) : null;
            all.add(directory("journal-" + i, names.journals().get(i), "", device));
        }
        return all;
    }

    private static BookieDescription.Directory directory(
            String role, String path, String state, Space.@Nullable Device device) {
        return device == null
                ? new BookieDescription.Directory(
                        role, path, state, BookieDescription.UNKNOWN, BookieDescription.UNKNOWN)
                : new BookieDescription.Directory(role, path, state, device.usableBytes(), device.totalBytes());
    }

    private static BookieDescription.Scrub scrub(ScrubNotes notes) {
        return new BookieDescription.Scrub(notes.damages().size(), notes.rounds(), notes.endedMillis());
    }

    private BookieDescription.Cleanup cleanup(CleanupReport report) {
        return new BookieDescription.Cleanup(
                report.rounds(),
                parts.cleanup().isRunning() ? "working" : "waiting",
                report.ledgersBuried(),
                report.ledgersWaiting(),
                report.logsRemoved(),
                report.bytesCopied(),
                report.logsKept().size(),
                report.lastFailure());
    }
}
