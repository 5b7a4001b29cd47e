// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model;

/**
 * Where the variables of a model of given constants lie in a {@link ModelState}. Entry ids begin at 0; a number of entries stands for "all ids below it",
 * so that one past an id and a count are the same number. Sets of bookies are bit masks; an ensemble is a row of E bookies.
 */
public final class ModelShape {
    // ---- single variables ----
    public static final int METADATA = 0;
    public static final int FRAGMENTS = 1;
    /** Entries of the closed ledger. */
    public static final int END = 2;
    /** Entries that the writer sent. */
    public static final int SENT_COUNT = 3;
    /** Entries that the writer acknowledged. */
    public static final int ACKED = 4;

    public static final int CHANGE = 5;
    public static final int CHANGE_FIRST = 6;
    public static final int CHANGES_LEFT = 7;
    public static final int WIPES_LEFT = 8;
    /** Entries that a reader was given. */
    public static final int SEEN = 9;
    /** Set of entries that no bookie held when fences covered every write set. */
    public static final int VOID = 10;

    public static final int FENCED = 11;
    /** Bookies lost for ever. */
    public static final int LOST = 12;

    private static final int SINGLES = 13;

    // ---- states of metadata ----
    public static final int OPEN = 0;
    public static final int IN_RECOVERY = 1;
    public static final int CLOSED = 2;

    // ---- states of the writer's ensemble change ----
    public static final int IDLE = 0;
    /** A compare-and-set is on its way. */
    public static final int WRITING = 1;
    /** It took effect; the writer does not know. */
    public static final int WRITTEN = 2;
    /** The writer has ended. */
    public static final int ENDED = 3;

    // ---- variables of a recoverer, relative to {@link #recoverer} ----
    public static final int PHASE = 0;
    /** Entries known to exist, of which copies were sent. */
    public static final int FOUND = 1;
    /** Entries with enough copies. */
    public static final int COMPLETE = 2;
    /** One more than the entries of the ledger, once that is decided; else 0. */
    public static final int DECIDED = 3;
    /** One more than the first entry of the private fragment; 0 for none. */
    public static final int PRIVATE_FIRST = 4;

    public static final int MAY_REPLACE = 5;
    /** Metadata is no longer what this recoverer began with. */
    public static final int STALE = 6;

    public static final int RECOVERER_SINGLES = 7;

    // ---- phases of a recoverer ----
    public static final int AWAY = 0;
    public static final int FENCING = 1;
    public static final int SEARCHING = 2;

    public final ModelConfig config;
    public final int ensembleSize;
    public final int entries;
    public final int bookies;
    public final int recoverers;
    public final int fragmentsMax;

    public final int fragmentFirst;
    public final int ensembles;
    public final int writerEnsemble;
    public final int targetEnsemble;
    public final int formerEnsemble;
    public final int sentTo;
    public final int ackedBy;
    public final int heldBy;
    public final int raisedOn;
    public final int carried;
    public final int confirmed;
    public final int recovererStart;
    public final int recovererSize;
    public final int size;

    /** For a model of these constants. */
    public ModelShape(ModelConfig config) {
        this.config = config;
        this.ensembleSize = config.quorums().ensembleSize();
        this.entries = config.entries();
        this.bookies = config.bookies();
        this.recoverers = config.recoverers();
        this.fragmentsMax = 1
                + config.freedom().writerChanges()
                + config.freedom().recoveryChanges() * (config.has(ModelDefect.D4) ? recoverers : 1);
        fragmentFirst = SINGLES;
        ensembles = fragmentFirst + fragmentsMax;
        writerEnsemble = ensembles + fragmentsMax * ensembleSize;
        targetEnsemble = writerEnsemble + ensembleSize;
        formerEnsemble = targetEnsemble + ensembleSize;
        sentTo = formerEnsemble + ensembleSize;
        ackedBy = sentTo + entries;
        heldBy = ackedBy + entries;
        raisedOn = heldBy + entries;
        carried = raisedOn + entries;
        confirmed = carried + entries;
        recovererStart = confirmed + bookies;
        recovererSize = RECOVERER_SINGLES + 2 * ensembleSize + 2 * entries;
        size = recovererStart + recoverers * recovererSize;
    }

    /** Where the ensemble of a fragment lies. */
    public int ensemble(int fragment) {
        return ensembles + fragment * ensembleSize;
    }

    /** Where the variables of a recoverer begin. */
    public int recoverer(int r) {
        return recovererStart + r * recovererSize;
    }

    /** The ensemble that metadata named when the recoverer began. */
    public int baseEnsemble(int r) {
        return recoverer(r) + RECOVERER_SINGLES;
    }

    /** The ensemble that the recoverer writes copies to, when it is not the one it began with. */
    public int privateEnsemble(int r) {
        return baseEnsemble(r) + ensembleSize;
    }

    /** Who denied the entry to the recoverer. */
    public int deniedBy(int r, int entry) {
        return baseEnsemble(r) + 2 * ensembleSize + entry;
    }

    /** Who was sent a copy of the entry by the recoverer and has not stored it. */
    public int copyTo(int r, int entry) {
        return deniedBy(r, entry) + entries;
    }
}
