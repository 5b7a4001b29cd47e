// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Gives the ids of a ledger's entries, in any order, some much later than those behind them, some twice; in the end perhaps one beyond a gap that is never
 * closed. What is given twice and what stands beyond the gap must not be acknowledged.
 */
final class GivenIds {
    private static final long LATE_NANOS_MAX = 20_000_000L;
    private static final long RETRY_NANOS_MAX = 300_000_000L;
    private static final int LATE_ONE_IN = 8;
    private static final int TWICE_ONE_IN = 8;
    private static final int GAP_ONE_IN = 3;
    private static final int FILL_BYTES_MAX = 100;

    private final ClientNode node;
    private final Stage stage;
    private final Pen pen;
    private final String session;
    private final SimulatedRandom random;
    private final BitSet given = new BitSet();
    /** Those that were refused at first, for want of room. */
    private final BitSet refused = new BitSet();

    private int repeated;

    /** Of the ledger that {@code pen} writes; what it adds by itself is of sessions whose names begin with {@code session}. */
    GivenIds(ClientNode node, Pen pen, String session) {
        this.node = node;
        this.stage = node.stage();
        this.pen = pen;
        this.session = session;
        this.random = stage.world().random("ids of " + session);
    }

    /** An entry that is to be appended. */
    record Given(long entryId, ByteBuf payload, AppendListener listener) {}

    /** Appends all of them, sooner or later. */
    void give(List<Given> burst) {
        List<Given> left = new ArrayList<>(burst);
        while (!left.isEmpty()) {
            Given next = left.remove(random.below(left.size()));
            if (random.below(LATE_ONE_IN) == 0) {
                later(next, LATE_NANOS_MAX);
            } else {
                append(next);
            }
        }
    }

    private void later(Given given, long nanosMax) {
        node.later(1 + random.nextBelow(nanosMax), () -> append(given));
    }

    /** The first id that was not given yet. */
    long gap() {
        return given.nextClearBit(0);
    }

    /** How many of the first {@code count} entries, all of which were given, were surely taken: up to the first that was ever refused. */
    long taken(long count) {
        int first = refused.nextSetBit(0);
        return first < 0 ? count : Math.min(count, first);
    }

    private void append(Given given) {
        this.given.set(Math.toIntExact(given.entryId));
        pen.append(given.entryId, given.payload.copy(), new AppendListener() {
            @Override
            public void accepted(long entryId) {
                given.listener.accepted(entryId);
            }

            @Override
            public void appended(long entryId) {
                check(entryId == given.entryId, entryId, "was told for entry " + given.entryId);
                given.listener.appended(entryId);
                perhapsAgain(entryId);
            }

            @Override
            public void failed(LedgerException failure) {
                if (failure instanceof LedgerException.NoRoom) {
                    refused.set(Math.toIntExact(given.entryId));
                    stage.world().faults().count(LedgerSituations.NO_ROOM_BEYOND_GAP);
                    later(given, RETRY_NANOS_MAX);
                } else {
                    check(
                            !(failure instanceof LedgerException.DuplicateEntry),
                            given.entryId,
                            "is refused as a duplicate and was not appended before");
                    given.listener.failed(failure);
                }
            }
        });
        if (!stage.isMemoryScarce()) {
            // It was taken, even if it waits for a gap to be closed.
            perhapsAgain(given.entryId);
        }
    }

    private void perhapsAgain(long entryId) {
        if (random.below(TWICE_ONE_IN) == 0) {
            appendInVain(entryId, "again", LedgerSituations.DUPLICATE_REFUSED, LedgerException.DuplicateEntry.class);
        }
    }

    /** Appends beyond a gap that nobody will close, now and then. */
    void perhapsBeyondGap(long gapEntryId) {
        if (random.below(GAP_ONE_IN) == 0) {
            long entryId = gapEntryId + 1 + random.below(3);
            appendInVain(entryId, "beyond", LedgerSituations.CLOSED_BEFORE_GAP, LedgerException.HandleClosed.class);
        }
    }

    /** Appends what must not become part of the ledger. */
    private void appendInVain(long entryId, String why, String situation, Class<? extends LedgerException> refusal) {
        ByteBuf payload = Value.payload(session + '.' + why, repeated++, random.below(FILL_BYTES_MAX));
        Value value = Value.of(payload);
        int call =
                stage.history().begin(node.process(), stage.world().nanoTime(), pen.ledgerId(), new Append(value, -1));
        pen.append(entryId, payload, new AppendListener() {
            @Override
            public void accepted(long id) {
                check(false, entryId, value + " was accepted, which was given in vain");
            }

            @Override
            public void appended(long id) {
                stage.history().end(call, stage.world().nanoTime(), Result.OK, new Append(value, id));
                check(false, entryId, value + " was acknowledged, which was given in vain");
            }

            @Override
            public void failed(LedgerException failure) {
                stage.history().end(call, stage.world().nanoTime(), stage.resultOf(pen.ledgerId(), failure));
                if (refusal.isInstance(Failures.rootOf(failure))) {
                    stage.world().faults().count(situation);
                }
            }
        });
    }

    private void check(boolean condition, long entryId, String wrong) {
        if (!condition) {
            stage.violations().add(new Violation("given-id", pen.ledgerId(), entryId, wrong));
        }
    }
}
