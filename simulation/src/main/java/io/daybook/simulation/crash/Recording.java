// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.runtime.simulated.disk.DiskImage;
import io.daybook.runtime.simulated.disk.OperationLog;
import io.daybook.runtime.simulated.disk.Survivors;
import io.daybook.simulation.crash.LoneBookie.Disks;
import io.daybook.simulation.crash.LoneBookie.Metadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The disk operations of a bookie from some moment on, cut after each of them, with what was told and known by then. */
final class Recording {
    private final LoneBookie one;
    private final List<OperationLog> logs;
    private final List<Cut> cuts = new ArrayList<>();
    private Told told;
    private Metadata metadata;

    /** Records from now on. */
    Recording(LoneBookie one) {
        this.one = one;
        this.logs = one.drives().stream()
                .map(drive -> drive.recordOperations(this::onOperation))
                .toList();
        this.told = one.told().copy();
        this.metadata = one.metadata();
        cuts.add(new Cut(done(), told, metadata));
        one.world().afterEachEvent(this::onEvent);
    }

    /** A moment at which the power may fail: so many operations are done on each disk. */
    record Cut(List<Integer> done, Told told, Metadata metadata) {
        Cut {
            done = List.copyOf(done);
        }
    }

    private List<Integer> done() {
        return logs.stream().map(log -> log.operations().size()).toList();
    }

    /** Whose operations these are. */
    LoneBookie bookie() {
        return one;
    }

    /** All moments, oldest first. */
    List<Cut> cuts() {
        tell();
        return cuts;
    }

    /** The disks as they are found when the power failed at a moment. */
    Disks disksAt(Cut cut, Variant variant) {
        List<DiskImage> images = new ArrayList<>();
        for (int disk = 0; disk < logs.size(); disk++) {
            images.add(logs.get(disk).imageAfter(cut.done.get(disk), variant.of.get(disk)));
        }
        return new Disks(images);
    }

    /** The ways in which the disks may be found: every way for the one that was worked on last, beside nothing of the others; and all of all. */
    List<Variant> variantsAt(int number) {
        Cut cut = cuts.get(number);
        List<Variant> variants = new ArrayList<>();
        variants.add(new Variant(Collections.nCopies(logs.size(), Survivors.none())));
        variants.add(new Variant(Collections.nCopies(logs.size(), Survivors.all())));
        for (int disk = 0; disk < logs.size(); disk++) {
            boolean isLast =
                    number > 0 && cut.done.get(disk) > cuts.get(number - 1).done.get(disk);
            int unsynced =
                    isLast ? logs.get(disk).imageAfter(cut.done.get(disk)).unsyncedCount() : 0;
            List<Survivors> ofDisk = isLast ? Survivors.variantsOf(unsynced) : List.of();
            for (Survivors each : ofDisk) {
                if (each != ofDisk.get(0)) {
                    List<Survivors> of = new ArrayList<>(Collections.nCopies(logs.size(), Survivors.none()));
                    of.set(disk, each);
                    variants.add(new Variant(of));
                }
            }
        }
        return variants;
    }

    /** What survives on each disk of what was not durable. */
    record Variant(List<Survivors> of) {
        Variant {
            of = List.copyOf(of);
        }

        @Override
        public String toString() {
            return "of the disks of journals, then of data, survives " + of;
        }
    }

    /** The last operations before a moment, for a person. */
    String describe(Cut cut) {
        List<String> texts = new ArrayList<>();
        for (int disk = 0; disk < logs.size(); disk++) {
            int done = cut.done.get(disk);
            String last = done == 0
                    ? "none"
                    : logs.get(disk).operations().get(done - 1).toString();
            texts.add(done + " operations on " + one.nameOf(disk) + ", the last: " + last);
        }
        return String.join("; ", texts);
    }

    /** What happens on the disks happens before anything is told of it. */
    private void onOperation() {
        cuts.add(new Cut(done(), told, metadata));
    }

    private void onEvent() {
        // A format tells nobody that the bookie is known now, and goes on to its first start.
        boolean isKnownNow =
                metadata.cookie().isEmpty() && one.metadata().cookie().isPresent();
        if (isKnownNow || !told.equals(one.told())) {
            tell();
        }
    }

    private void tell() {
        told = one.told().copy();
        metadata = one.metadata();
        Cut last = cuts.get(cuts.size() - 1);
        cuts.set(cuts.size() - 1, new Cut(last.done, told, metadata));
    }
}
