// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.read;

import io.daybook.ledger.quorum.WriteSets;
import io.daybook.protocol.StatusCode;
import java.util.List;

/**
 * Reads consecutive entries of one fragment. Without striping that is one run; with striping several runs, each from a bookie that keeps it, are read
 * at once and joined.
 *
 * <p><i>Threading:</i> confined to its reader's loop.
 */
final class RangeRead {
    private static final int RUNS_MAX = 32;
    private static final int RUN_BYTES_MIN = 64 * 1024;

    private final RunRead.Source source;
    private final ReadRange range;
    private final RunRead.Receiver receiver;
    private final RunRead.Result[] results;
    private int missing;

    private RangeRead(RunRead.Source source, ReadRange range, int runs, RunRead.Receiver receiver) {
        this.source = source;
        this.range = range;
        this.receiver = receiver;
        this.results = new RunRead.Result[runs];
        this.missing = runs;
    }

    /** Begins; the result has at least one entry, or the refusals of the first. The range must lie in the source's fragment. */
    static void start(RunRead.Source source, ReadRange range, int rotation, RunRead.Receiver receiver) {
        long run = RunRead.runMax(source.writeSets(), range.firstEntryId());
        int runs = run >= range.count() ? 1 : (int) Math.min(RUNS_MAX, (range.count() + run - 1) / run);
        new RangeRead(source, range, runs, receiver).read(run, rotation);
    }

    private void read(long run, int rotation) {
        int bytes = results.length == 1 ? range.bytesMax() : Math.max(RUN_BYTES_MIN, range.bytesMax() / results.length);
        for (int i = 0; i < results.length; i++) {
            long first = range.firstEntryId() + i * run;
            long last = results.length == 1 ? range.lastEntryId() : Math.min(range.lastEntryId(), first + run - 1);
            RunRead.start(source, new ReadRange(first, last, bytes), rotation, new Place(i));
        }
    }

    private void onResult(int place, RunRead.Result result) {
        results[place] = result;
        missing--;
        if (missing > 0) {
            return;
        }
        ReadEntries joined = new ReadEntries(-1);
        boolean whole = true;
        for (RunRead.Result each : results) {
            if (whole) {
                whole = !each.entries().isEmpty() && joined.absorb(each.entries(), range.bytesMax());
            } else {
                each.entries().close();
            }
        }
        receiver.ended(new RunRead.Result(joined, results[0].refusals()));
    }

    /** Where the result of one run goes. */
    private final class Place implements RunRead.Receiver {
        private final int place;

        Place(int place) {
            this.place = place;
        }

        @Override
        public void ended(RunRead.Result result) {
            onResult(place, result);
        }

        @Override
        public boolean isWanted() {
            return receiver.isWanted();
        }
    }

    /** What the members said, for a message. */
    static String describe(WriteSets writeSets, List<StatusCode> refusals) {
        return "its " + writeSets.quorums().writeQuorum() + " bookies answered " + refusals;
    }
}
