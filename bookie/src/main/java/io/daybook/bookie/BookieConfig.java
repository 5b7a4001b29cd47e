// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.cleanup.CleanupConfig;
import io.daybook.bookie.disk.SpaceConfig;
import io.daybook.bookie.index.IndexConfig;
import io.daybook.bookie.scrub.ScrubConfig;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;
import io.daybook.runtime.settings.SettingsLoader;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** How one bookie is set up. */
@SettingsGroup("bookie")
public record BookieConfig(
        @Setting(
                doc = "Where the bookie listens. Set it to an address that clients reach; port 0 takes any free port.",
                defaultValue = "127.0.0.1:3181")
        Endpoint listen,

        @Setting(
                doc = "The host name or address that clients are told; empty for the host of listen. Set it when the"
                        + " bookie listens on all addresses or behind a translation.",
                defaultValue = "")
        String advertisedHost,

        @Setting(doc = "A label for people, given when the bookie is formatted.", defaultValue = "bookie")
        String name,

        @Setting(
                doc = "A label of the fault domain, such as a rack or zone: copies of an entry are spread over them.",
                defaultValue = "")
        String rack,

        @Setting(
                doc =
                        "The directories of the journals, separated by commas, each on a device of its own: the fastest that"
                                + " keep what they synced. Ledgers are spread over them, and each commits for itself; each needs"
                                + " slabs of its own. They stay those with which the bookie was formatted.",
                defaultValue = "daybook/journal")
        List<String> journalDirectories,

        @Setting(
                doc = "The directories of entries and index, separated by commas, each on a device of its own; other"
                        + " devices than the journal's make both faster. They stay those with which the bookie was"
                        + " formatted.",
                defaultValue = "daybook/data")
        List<String> dataDirectories,

        @Setting(
                doc = "Bytes of a slab and of a journal file. Smaller ones need less memory and more files; an entry"
                        + " must fit. Bookies of one cluster with slabs below 4MiB should have equal ones, because a"
                        + " copy that one took may have to go to another.",
                defaultValue = "64MiB",
                min = "8KiB",
                max = "1GiB",
                inBytes = true)
        int slabBytes,

        @Setting(
                doc =
                        "How many slabs and journal files each journal has. More ride out longer pauses of the data device and"
                                + " keep more entries in memory for readers.",
                defaultValue = "3",
                min = "2",
                max = "64")
        int slabCount,

        @Setting(
                doc = "After this time a slab is flushed although it is not full. Shorter makes restarts faster and"
                        + " files smaller.",
                defaultValue = "60s",
                min = "100ms",
                max = "1h")
        Duration flushAge,

        @Setting(
                doc = "Bytes after which no further record joins a journal commit: larger ones cost latency and bring"
                        + " no throughput.",
                defaultValue = "256KiB",
                min = "4KiB",
                max = "8MiB",
                inBytes = true)
        int commitBytesMax,

        @Setting(
                doc =
                        "Reads of one link that may be unanswered at once, without those that wait at the tail of a ledger;"
                                + " beyond it the answer is BUSY.",
                defaultValue = "256",
                min = "1",
                max = "100000")
        int readsInFlightMax,

        @Setting(
                doc = "Links that may be open at once; further ones are closed with a reason.",
                defaultValue = "10000",
                min = "1",
                max = "1000000")
        int linksMax,

        @Setting(
                doc = "Bytes of answers to reads that may be in memory at once, over all links; further reads wait."
                        + " A quarter is kept for reads of fresh entries and for recovery."
                        + " Raise it for many fast readers of old entries, lower it where memory is short.",
                defaultValue = "64MiB",
                min = "4MiB",
                max = "64GiB",
                inBytes = true)
        long answerBytesMax,

        SpaceConfig space,
        CleanupConfig cleanup,
        ScrubConfig scrub,
        IndexConfig index) {
    private static final int EMBEDDED_SLAB_BYTES = 8 * 1024 * 1024;
    private static final long EMBEDDED_INDEX_BYTES = 64 * 1024 * 1024;

    /** Checks what no single bound can; throws {@link IllegalArgumentException} that names the setting. */
    public BookieConfig {
        journalDirectories = List.copyOf(journalDirectories);
        check(
                !journalDirectories.isEmpty() && journalDirectories.stream().noneMatch(String::isBlank),
                "bookie.journal-directories is empty: name a directory");
        check(
                journalDirectories.stream().distinct().count() == journalDirectories.size(),
                "bookie.journal-directories names a directory twice: give each a device of its own");
        dataDirectories = List.copyOf(dataDirectories);
        check(
                !dataDirectories.isEmpty() && dataDirectories.stream().noneMatch(String::isBlank),
                "bookie.data-directories is empty: name a directory");
        check(
                dataDirectories.stream().distinct().count() == dataDirectories.size(),
                "bookie.data-directories names a directory twice: give each a device of its own");
        check(
                journalDirectories.stream().noneMatch(dataDirectories::contains),
                "bookie.journal-directories and bookie.data-directories name the same directory: give each its own");
        check(slabBytes >= 8 * 1024 && slabBytes <= 1 << 30, "bookie.slab-bytes must be 8KiB to 1GiB");
        check(slabCount >= 2, "bookie.slab-count must be 2 or more");
        check(commitBytesMax >= 512, "bookie.commit-bytes-max must be 512 or more");
        check(readsInFlightMax >= 1, "bookie.reads-in-flight-max must be 1 or more");
        check(linksMax >= 1, "bookie.links-max must be 1 or more");
        check(!flushAge.isNegative() && !flushAge.isZero(), "bookie.flush-age must be more than 0");
    }

    private static void check(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** What holds when nothing is set. */
    public static BookieConfig defaults() {
        return SettingsLoader.defaults(BookieConfig.class);
    }

    /** A bookie that shares a process with others: small slabs, a free port of the loopback address. */
    public static BookieConfig embedded(String name, String journalDirectory, String dataDirectory) {
        return defaults()
                .withName(name)
                .withDirectories(List.of(journalDirectory), List.of(dataDirectory))
                .withListen(new Endpoint("127.0.0.1", 0))
                .withSlabs(EMBEDDED_SLAB_BYTES, 3)
                .withSpace(new SpaceConfig(1))
                .withIndex(IndexConfig.defaults().withMemoryMax(EMBEDDED_INDEX_BYTES));
    }

    /** With another endpoint to listen on. */
    public BookieConfig withListen(Endpoint next) {
        return with(draft -> draft.listen = next);
    }

    /** With another host that clients are told. */
    public BookieConfig withAdvertisedHost(String next) {
        return with(draft -> draft.advertisedHost = next);
    }

    /** With another label. */
    public BookieConfig withName(String next) {
        return with(draft -> draft.name = next);
    }

    /** With another fault domain. */
    public BookieConfig withRack(String next) {
        return with(draft -> draft.rack = next);
    }

    /** With other directories. */
    public BookieConfig withDirectories(List<String> journals, List<String> data) {
        return with(draft -> {
            draft.journalDirectories = journals;
            draft.dataDirectories = data;
        });
    }

    /** With other slabs. */
    public BookieConfig withSlabs(int bytes, int count) {
        return with(draft -> {
            draft.slabBytes = bytes;
            draft.slabCount = count;
        });
    }

    /** With another age at which slabs are flushed. */
    public BookieConfig withFlushAge(Duration next) {
        return with(draft -> draft.flushAge = next);
    }

    /** With another bound on commits. */
    public BookieConfig withCommitBytesMax(int next) {
        return with(draft -> draft.commitBytesMax = next);
    }

    /** With other bounds on what clients may ask for. */
    public BookieConfig withClientBounds(int readsInFlight, int links) {
        return with(draft -> {
            draft.readsInFlightMax = readsInFlight;
            draft.linksMax = links;
        });
    }

    /** With another bound on the bytes of answers in memory. */
    public BookieConfig withAnswerBytesMax(long next) {
        return with(draft -> draft.answerBytesMax = next);
    }

    /** With another way of keeping space back. */
    public BookieConfig withSpace(SpaceConfig next) {
        return with(draft -> draft.space = next);
    }

    /** With other rules for cleaning up. */
    public BookieConfig withCleanup(CleanupConfig next) {
        return with(draft -> draft.cleanup = next);
    }

    /** With another way of looking for damage. */
    public BookieConfig withScrub(ScrubConfig next) {
        return with(draft -> draft.scrub = next);
    }

    /** With another bound on the memory of the index. */
    public BookieConfig withIndex(IndexConfig next) {
        return with(draft -> draft.index = next);
    }

    private BookieConfig with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** A configuration that can still be changed. */
    private static final class Draft {
        private Endpoint listen;
        private String advertisedHost;
        private String name;
        private String rack;
        private List<String> journalDirectories;
        private List<String> dataDirectories;
        private int slabBytes;
        private int slabCount;
        private Duration flushAge;
        private int commitBytesMax;
        private int readsInFlightMax;
        private int linksMax;
        private long answerBytesMax;
        private SpaceConfig space;
        private CleanupConfig cleanup;
        private ScrubConfig scrub;
        private IndexConfig index;

        private Draft(BookieConfig from) {
            listen = from.listen();
            advertisedHost = from.advertisedHost();
            name = from.name();
            rack = from.rack();
            journalDirectories = from.journalDirectories();
            dataDirectories = from.dataDirectories();
            slabBytes = from.slabBytes();
            slabCount = from.slabCount();
            flushAge = from.flushAge();
            commitBytesMax = from.commitBytesMax();
            readsInFlightMax = from.readsInFlightMax();
            linksMax = from.linksMax();
            answerBytesMax = from.answerBytesMax();
            space = from.space();
            cleanup = from.cleanup();
            scrub = from.scrub();
            index = from.index();
        }

        private BookieConfig finish() {
            return new BookieConfig(
                    listen,
                    advertisedHost,
                    name,
                    rack,
                    journalDirectories,
                    dataDirectories,
                    slabBytes,
                    slabCount,
                    flushAge,
                    commitBytesMax,
                    readsInFlightMax,
                    linksMax,
                    answerBytesMax,
                    space,
                    cleanup,
                    scrub,
                    index);
        }
    }
}
