// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** S-44: reads wait for their turn at a bookie instead of being refused. */
final class ReadTurnsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final int TIMEOUT_MILLIS = 1000;
    private static final long FIRST_URGENT = 100_000;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final EventLoop loop = world.machine("client").start().newLoop("client", Host.LoopKind.NETWORK);
    private final Deque<Asked> underWay = new ArrayDeque<>();
    private final Map<Long, StatusCode> told = new TreeMap<>();
    private final List<Long> unwanted = new ArrayList<>();
    private boolean ticks;
    private final ReadTurns turns = new ReadTurns(loop, new ReadTurns.Asking() {
        @Override
        public void ask(ReadRequest request, ReadListener listener) {
            underWay.add(new Asked(request.firstEntryId(), listener));
        }

        @Override
        public void waiting(ReadTurns machine) {
            ticks = true;
        }
    });

    private record Asked(long entryId, ReadListener listener) {}

    private void take(int count) {
        LongStream.range(0, count).forEach(id -> turns.take(request(id), listener(id)));
    }

    private void takeUrgent(long id) {
        turns.takeUrgent(request(id), listener(id));
    }

    /** So many urgent ones wait or are under way, now and whenever one of them is answered. */
    private void urgentEver(int count) {
        LongStream.range(0, count).forEach(i -> urgentAgain(FIRST_URGENT + i));
    }

    private void urgentAgain(long id) {
        turns.takeUrgent(request(id), (answer, frame) -> urgentAgain(id));
    }

    private static ReadRequest request(long id) {
        return new ReadRequest(0, 7, id, 1, 1, 0, 0, TIMEOUT_MILLIS);
    }

    private ReadListener listener(long id) {
        return new ReadListener() {
            @Override
            public void answered(ReadAnswer answer, ByteBuf frame) {
                assertThat(told.put(id, answer.status())).isNull();
            }

            @Override
            public boolean isWanted() {
                return !unwanted.contains(id);
            }
        };
    }

    private long answerFirst(StatusCode status) {
        Asked first = underWay.remove();
        first.listener.answered(new ReadAnswer(0, 7, first.entryId, -1, 0, status, 0), Unpooled.EMPTY_BUFFER);
        return first.entryId;
    }

    private void tick() {
        ticks = ticks && turns.tick(loop.nanoTime());
        world.runFor(MILLISECOND);
    }

    private int toldOf(StatusCode status) {
        return Collections.frequency(told.values(), status);
    }

    @Test
    void soManyAreUnderWayAndTheOthersFollowInTheirOrder() {
        take(1000);
        assertThat(underWay).hasSize(ReadTurns.UNDER_WAY_MAX);

        for (long id = 0; id < 1000; id++) {
            assertThat(answerFirst(StatusCode.OK)).isEqualTo(id);
            assertThat(underWay.size()).isLessThanOrEqualTo(ReadTurns.UNDER_WAY_MAX);
        }

        assertThat(toldOf(StatusCode.OK)).isEqualTo(1000);
    }

    @Test
    void aBusyBookieIsAskedAgainAndLessAtOnce() {
        take(100);

        for (int i = 0; i < 97; i++) {
            answerFirst(StatusCode.BUSY);
        }

        assertThat(told).isEmpty();
        assertThat(underWay).hasSize(3);
        while (!underWay.isEmpty()) {
            answerFirst(StatusCode.OK);
        }
        assertThat(toldOf(StatusCode.OK)).isEqualTo(100);
    }

    @Test
    void aBookieThatIsBusyWithOthersIsAskedOneThingATick() {
        take(100);
        for (int i = 0; i < 100; i++) {
            answerFirst(StatusCode.BUSY);
        }
        assertThat(underWay).isEmpty();

        tick();

        assertThat(underWay).hasSize(1);
        answerFirst(StatusCode.BUSY);
        assertThat(underWay).isEmpty();
        tick();
        assertThat(underWay).hasSize(1);
    }

    @Test
    void whoIsBusyNoLongerIsAskedMoreAndMore() {
        take(20_000);
        for (int i = 0; i < ReadTurns.UNDER_WAY_MAX - 1; i++) {
            answerFirst(StatusCode.BUSY);
        }
        assertThat(underWay).hasSize(1);

        int most = 0;
        while (!underWay.isEmpty()) {
            answerFirst(StatusCode.OK);
            most = Math.max(most, underWay.size());
        }

        assertThat(toldOf(StatusCode.OK)).isEqualTo(20_000);
        assertThat(most).isGreaterThan(ReadTurns.UNDER_WAY_MAX / 2).isLessThanOrEqualTo(ReadTurns.UNDER_WAY_MAX);
    }

    @Test
    void whoseTurnDoesNotComeInTimeIsToldSo() {
        take(1000);
        world.runFor(TIMEOUT_MILLIS * MILLISECOND);

        tick();

        assertThat(underWay).hasSize(ReadTurns.UNDER_WAY_MAX);
        assertThat(toldOf(StatusCode.BUSY)).isEqualTo(1000 - ReadTurns.UNDER_WAY_MAX);
        assertThat(ticks).isFalse();
    }

    @Test
    void theBookieIsNotAskedForWhatNobodyWantsAnyMore() {
        take(1000);
        LongStream.range(0, 1000).forEach(unwanted::add);

        while (!underWay.isEmpty()) {
            answerFirst(StatusCode.OK);
        }
        tick();

        assertThat(toldOf(StatusCode.OK)).isEqualTo(ReadTurns.UNDER_WAY_MAX);
        assertThat(toldOf(StatusCode.BUSY)).isEqualTo(1000 - ReadTurns.UNDER_WAY_MAX);
    }

    @Test
    void noMoreWaitThanABookieCouldAnswer() {
        take(ReadTurns.UNDER_WAY_MAX + ReadTurns.WAITING_MAX + 5);
        world.runFor(MILLISECOND);

        assertThat(toldOf(StatusCode.BUSY)).isEqualTo(5);
    }

    @Test
    void anUrgentOneIsAskedAtOnceAndFurtherOnesGetEverySecondTurn() {
        take(1000);

        for (long id = 2000; id < 2000 + ReadTurns.URGENT_MAX + 2; id++) {
            takeUrgent(id);
        }

        assertThat(underWay).hasSize(ReadTurns.UNDER_WAY_MAX + ReadTurns.URGENT_MAX);
        answerFirst(StatusCode.OK);
        answerFirst(StatusCode.OK);
        answerFirst(StatusCode.OK);
        assertThat(underWay.stream().skip(underWay.size() - 4L).map(Asked::entryId))
                .containsExactly(2031L, 2032L, 192L, 2033L);
        while (!underWay.isEmpty()) {
            answerFirst(StatusCode.OK);
        }
        assertThat(toldOf(StatusCode.OK)).isEqualTo(1034);
    }

    @Test
    void anUrgentOneIsTheNextThatABusyBookieIsAsked() {
        take(100);
        for (int i = 0; i < 99; i++) {
            answerFirst(StatusCode.BUSY);
        }

        takeUrgent(2000);
        takeUrgent(2001);

        assertThat(underWay).hasSize(1);
        answerFirst(StatusCode.OK);
        assertThat(underWay.remove().entryId).isEqualTo(2000L);
        assertThat(underWay.remove().entryId).isLessThan(100);
        assertThat(underWay).isEmpty();
    }

    @Test
    void anOrdinaryOneGetsItsTurnHoweverManyUrgentOnesWait() {
        urgentEver(2 * ReadTurns.UNDER_WAY_MAX);
        turns.take(request(0), listener(0));

        for (int i = 0; i < 2 * ReadTurns.UNDER_WAY_MAX && !told.containsKey(0L); i++) {
            answerFirst(StatusCode.OK);
            assertThat(underWay).hasSizeLessThanOrEqualTo(ReadTurns.UNDER_WAY_MAX + ReadTurns.URGENT_MAX);
        }

        assertThat(told).containsEntry(0L, StatusCode.OK);
    }

    @Test
    void anOrdinaryOneGetsItsTurnAtABusyBookieThoughAnUrgentOneAlwaysWaits() {
        takeUrgent(1000);
        answerFirst(StatusCode.BUSY); // One thing at a time from now on.
        urgentEver(2);
        turns.take(request(0), listener(0));
        tick();

        for (int i = 0; i < 4 && !told.containsKey(0L); i++) {
            assertThat(underWay).hasSize(1);
            answerFirst(StatusCode.BUSY);
            tick();
            answerFirst(StatusCode.OK);
            tick();
        }

        assertThat(told).containsKey(0L);
    }

    @Test
    void ordinaryOnesAreNeverMoreThanTheBoundAndUrgentOnesLeaveThemHalf() {
        urgentEver(1000);
        take(1000);

        for (int i = 0; i < 5_000 && toldOf(StatusCode.OK) < 800; i++) {
            answerFirst(StatusCode.OK);
            assertThat(underWay).hasSizeLessThanOrEqualTo(ReadTurns.UNDER_WAY_MAX + ReadTurns.URGENT_MAX);
        }

        assertThat(underWay.stream().filter(asked -> asked.entryId < 1000).count())
                .isBetween(ReadTurns.UNDER_WAY_MAX / 3L, (long) ReadTurns.UNDER_WAY_MAX);
    }

    @Test
    void anUrgentOneThatDoesNotGetItsTurnIsToldSo() {
        take(1);
        answerFirst(StatusCode.BUSY);
        tick();
        takeUrgent(2000);
        tick();
        assertThat(told).isEmpty();

        world.runFor(TIMEOUT_MILLIS * MILLISECOND);
        tick();

        assertThat(told).isEqualTo(Map.of(2000L, StatusCode.BUSY));
        assertThat(underWay).hasSize(1); // the ordinary one, which the bookie has
    }
}
