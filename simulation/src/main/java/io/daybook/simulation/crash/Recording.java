// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.runtime.simulated.disk.DiskImage;
import io.daybook.runtime.simulated.disk.OperationLog;
import io.daybook.runtime.simulated.disk.Survivors;
import io.daybook.simulation.crash.LoneBookie.Metadata;
import java.util.ArrayList;
import java.util.List;

/** The disk operations of a bookie from some moment on, cut after each of them, with what was told and known by then. */
final class Recording {
    private final LoneBookie one;
    private final OperationLog journal;
    private final OperationLog data;
    private final List<Cut> cuts = new ArrayList<>();
    private Told told;
    private Metadata metadata;

    /** Records from now on. */
    Recording(LoneBookie one) {
        this.one = one;
        this.journal = one.journal().recordOperations(this::onOperation);
        this.data = one.data().recordOperations(this::onOperation);
        this.told = one.told().copy();
        this.metadata = one.metadata();
        cuts.add(new Cut(0, 0, told, metadata));
        one.world().afterEachEvent(this::onEvent);
    }

    /** A moment at which the power may fail: so many operations are done on each disk. */
    record Cut(int journal, int data, Told told, Metadata metadata) {}

    /** Whose operations these are. */
    LoneBookie bookie() {
        return one;
    }

    /** All moments, oldest first. */
    List<Cut> cuts() {
        tell();
        return cuts;
    }

    DiskImage journalAt(Cut cut, Survivors survivors) {
        return journal.imageAfter(cut.journal, survivors);
    }

    DiskImage dataAt(Cut cut, Survivors survivors) {
        return data.imageAfter(cut.data, survivors);
    }

    /** The ways in which the disks may be found: every way for the one that was worked on last, beside all and nothing of the other. */
    List<Variant> variantsAt(int number) {
        Cut cut = cuts.get(number);
        List<Survivors> ofJournal =
                Survivors.variantsOf(journal.imageAfter(cut.journal).unsyncedCount());
        List<Survivors> ofData = Survivors.variantsOf(data.imageAfter(cut.data).unsyncedCount());
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant(Survivors.none(), Survivors.none()));
        variants.add(new Variant(Survivors.all(), Survivors.all()));
        boolean isJournal = number > 0 && cut.journal > cuts.get(number - 1).journal;
        boolean isData = number > 0 && cut.data > cuts.get(number - 1).data;
        for (Survivors each : ofJournal) {
            if (isJournal && each != ofJournal.get(0)) {
                variants.add(new Variant(each, Survivors.none()));
            }
        }
        for (Survivors each : ofData) {
            if (isData && each != ofData.get(0)) {
                variants.add(new Variant(Survivors.none(), each));
            }
        }
        return variants;
    }

    /** What survives on each disk of what was not durable. */
    record Variant(Survivors journal, Survivors data) {
        @Override
        public String toString() {
            return "of the journal's disk survives " + journal + ", of the data disk " + data;
        }
    }

    /** The last operations before a moment, for a person. */
    String describe(Cut cut) {
        String ofJournal = cut.journal == 0
                ? "none"
                : journal.operations().get(cut.journal - 1).toString();
        String ofData =
                cut.data == 0 ? "none" : data.operations().get(cut.data - 1).toString();
        return cut.journal + " operations on the journal's disk, the last: " + ofJournal + "; " + cut.data
                + " on the data disk, the last: " + ofData;
    }

    /** What happens on the disks happens before anything is told of it. */
    private void onOperation() {
        cuts.add(new Cut(journal.operations().size(), data.operations().size(), told, metadata));
    }

    private void onEvent() {
        if (!told.equals(one.told())) {
            tell();
        }
    }

    private void tell() {
        told = one.told().copy();
        metadata = one.metadata();
        Cut last = cuts.get(cuts.size() - 1);
        cuts.set(cuts.size() - 1, new Cut(last.journal, last.data, told, metadata));
    }
}
