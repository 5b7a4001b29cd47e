// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link EventLoop} promises, of both kinds. */
public abstract class EventLoopContract {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private PortsUnderTest ports;
    private Turns turns;

    /** Makes the ports of one test. */
    protected abstract PortsUnderTest start();

    @BeforeEach
    void startPorts() {
        ports = start();
        turns = new Turns(ports);
    }

    @AfterEach
    void closePorts() {
        ports.close();
    }

    private EventLoop loop(String name, LoopKind kind) {
        return ports.host().newLoop(name, kind);
    }

    private Runnable event(String name) {
        return () -> events.add(name);
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void loopBearsItsName(LoopKind kind) {
        assertThat(loop("bookie-core-0", kind).name()).isEqualTo("bookie-core-0");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void tasksOfOneCallerRunInTheOrderInWhichTheyWereQueued(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            expected.add("task " + i);
            loop.execute(event("task " + i));
        }

        ports.runUntil(() -> events.size() >= 1000);

        assertThat(events).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void tasksQueuedByAnotherLoopAndByItselfKeepTheirOrder(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        EventLoop other = loop("b", LoopKind.NETWORK);

        turns.run(other, () -> IntStream.range(0, 100).forEach(i -> loop.execute(event("from b " + i))));
        turns.run(loop, () -> IntStream.range(0, 100).forEach(i -> loop.execute(event("from a " + i))));
        ports.runUntil(() -> events.size() >= 200);

        assertThat(events).filteredOn(event -> event.startsWith("from b")).isEqualTo(numbered("from b ", 100));
        assertThat(events).filteredOn(event -> event.startsWith("from a")).isEqualTo(numbered("from a ", 100));
    }

    private static List<String> numbered(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void queuedTaskNeverRunsInsideTheCallThatQueuesIt(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        turns.run(loop, () -> {
            loop.execute(event("queued"));
            loop.schedule(0, event("timer"));
            events.add("end of task");
        });
        ports.runUntil(() -> events.size() >= 3);

        assertThat(events).first().isEqualTo("end of task");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void onlyItsOwnTasksAreInTheLoop(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        EventLoop other = loop("b", kind);

        assertThat(loop.isInLoop()).isFalse();
        assertThat(turns.<Boolean>on(loop, loop::isInLoop)).isTrue();
        assertThat(turns.<Boolean>on(loop, other::isInLoop)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void timerRunsOnTheLoopAndNotEarlierThanItsDelay(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        CompletableFuture<Long> late = new CompletableFuture<>();

        turns.run(loop, () -> {
            long start = loop.nanoTime();
            loop.schedule(3 * MILLI, () -> {
                assertThat(loop.isInLoop()).isTrue();
                late.complete(loop.nanoTime() - start - 3 * MILLI);
            });
        });

        assertThat(turns.await(late)).isNotNegative();
        assertThat(ports.reportedFailures()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void noTimerIsEarlyHoweverManyRun(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        turns.run(
                loop,
                () -> IntStream.range(0, 200).forEach(i -> {
                    long due = loop.nanoTime() + i * MILLI / 10;
                    loop.schedule(i * MILLI / 10, () -> events.add(loop.nanoTime() < due ? "early" : "due"));
                }));
        ports.runUntil(() -> events.size() == 200);

        assertThat(events).doesNotContain("early");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void timerMayBeSetFromOutside(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        loop.schedule(MILLI, event("timer"));
        loop.schedule(0, event("timer"));

        ports.runUntil(() -> events.size() == 2);
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void cancelledTimerNeverRuns(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        turns.run(loop, () -> {
            Timer cancelled = loop.schedule(MILLI, event("cancelled"));
            Timer cancelledAtOnce = loop.schedule(0, event("cancelled at once"));
            loop.schedule(MILLI, event("other"));
            cancelled.cancel();
            cancelled.cancel();
            cancelledAtOnce.cancel();
        });
        turns.settle(loop);

        assertThat(events).containsExactly("other");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void dueTimerCanStillBeCancelledByATaskBeforeIt(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        List<Timer> timers = new CopyOnWriteArrayList<>();

        turns.run(loop, () -> {
            timers.add(loop.schedule(MILLI, () -> cancelTheOther(timers, 1)));
            timers.add(loop.schedule(MILLI, () -> cancelTheOther(timers, 0)));
        });
        turns.settle(loop);

        assertThat(events).hasSize(1);
    }

    private void cancelTheOther(List<Timer> timers, int other) {
        events.add("cancels " + other);
        timers.get(other).cancel();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void cancellingATimerThatRanDoesNothing(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        Timer timer = turns.on(loop, () -> loop.schedule(0, event("ran")));
        ports.runUntil(() -> events.contains("ran"));

        turns.run(loop, timer::cancel);
        turns.settle(loop);

        assertThat(events).containsExactly("ran");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void endOfTurnRunsOnceAfterTheTaskInTheOrderOfRegistration(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        turns.run(loop, () -> {
            loop.atEndOfTurn(event("end 1"));
            loop.atEndOfTurn(event("end 2"));
            loop.atEndOfTurn(event("end 3"));
            events.add("task");
        });
        turns.settle(loop);

        assertThat(events).containsExactly("task", "end 1", "end 2", "end 3");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void endOfTurnRunsAlsoAfterATimer(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        loop.schedule(MILLI, () -> {
            loop.atEndOfTurn(event("end"));
            events.add("timer");
        });
        ports.runUntil(() -> events.size() == 2);

        assertThat(events).containsExactly("timer", "end");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void endOfTurnRegisteredAtTheEndOfATurnBelongsToThatTurn(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        turns.run(loop, () -> {
            loop.atEndOfTurn(() -> {
                events.add("end 1");
                loop.execute(event("next turn"));
                loop.atEndOfTurn(event("end 3"));
            });
            loop.atEndOfTurn(event("end 2"));
        });
        ports.runUntil(() -> events.size() == 4);

        assertThat(events).containsExactly("end 1", "end 2", "end 3", "next turn");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void timeStandsStillWithinATurn(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        List<Long> times = new CopyOnWriteArrayList<>();

        turns.run(loop, () -> {
            times.add(loop.nanoTime());
            loop.atEndOfTurn(() -> times.add(loop.nanoTime()));
            assertThat(IntStream.range(0, 100_000).filter(i -> i % 7 == 3).count())
                    .isPositive();
            times.add(loop.nanoTime());
        });
        ports.runUntil(() -> times.size() == 3);

        assertThat(times).allMatch(time -> time.equals(times.get(0)));
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void timeMovesOnBetweenTurns(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        long before = turns.on(loop, loop::nanoTime);
        turns.settle(loop);

        long after = turns.on(loop, loop::nanoTime);

        assertThat(after - before).isGreaterThanOrEqualTo(30 * MILLI);
        assertThat(turns.<Long>on(loop, loop::wallMillis)).isPositive();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void resumeHandsTheValueToTheLoop(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        EventLoop other = loop("b", kind);
        CompletableFuture<String> future = new CompletableFuture<>();
        loop.resume(future, (value, failure) -> events.add(value + " " + failure + " " + loop.isInLoop()));

        other.execute(() -> future.complete("value"));
        ports.runUntil(() -> !events.isEmpty());

        assertThat(events).containsExactly("value null true");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void resumeHandsTheRootOfAFailureToTheLoop(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        CompletableFuture<String> future = new CompletableFuture<>();
        loop.resume(future, (value, failure) -> events.add(value + " " + failure));

        future.completeExceptionally(new CompletionException(new IllegalStateException("down")));
        ports.runUntil(() -> !events.isEmpty());

        assertThat(events).containsExactly("null java.lang.IllegalStateException: down");
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void taskThatThrowsIsReportedAndTheOthersRun(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        turns.run(loop, () -> {
            loop.execute(() -> fail("task"));
            loop.execute(event("task after"));
            loop.atEndOfTurn(() -> fail("end"));
            loop.atEndOfTurn(event("end after"));
            loop.schedule(MILLI, () -> fail("timer"));
            loop.schedule(MILLI, event("timer after"));
        });
        ports.runUntil(() -> events.size() == 3 && ports.reportedFailures().size() == 3);

        assertThat(ports.reportedFailures())
                .extracting(Throwable::getMessage)
                .containsExactlyInAnyOrder("bug in task", "bug in end", "bug in timer");
    }

    private static void fail(String where) {
        throw new IllegalStateException("bug in " + where);
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void closedLoopDropsWhatIsQueued(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        EventLoop witness = loop("b", kind);

        turns.run(loop, () -> {
            loop.execute(event("task"));
            loop.schedule(0, event("timer"));
            loop.atEndOfTurn(event("end"));
            loop.close();
            loop.execute(event("late task"));
            events.add("end of task");
        });
        turns.settle(witness);

        assertThat(events).containsExactly("end of task");
        assertThat(ports.reportedFailures()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void closedLoopIgnoresEverythingLate(LoopKind kind) {
        EventLoop loop = loop("a", kind);
        EventLoop witness = loop("b", kind);
        loop.schedule(20 * MILLI, event("timer"));

        loop.close();
        loop.close();
        loop.execute(event("task"));
        loop.schedule(0, event("late timer"));
        loop.resume(CompletableFuture.completedFuture(1), (value, failure) -> events.add("resumed"));
        turns.settle(witness, witness);

        assertThat(events).isEmpty();
        assertThat(ports.reportedFailures()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LoopKind.class)
    void loopThatNeverRanAnythingCanBeClosed(LoopKind kind) {
        EventLoop loop = loop("a", kind);

        loop.close();
        loop.close();

        assertThat(ports.reportedFailures()).isEmpty();
    }
}
