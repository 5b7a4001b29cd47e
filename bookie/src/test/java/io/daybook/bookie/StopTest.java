// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import io.daybook.runtime.simulated.SimulatedMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A bookie that is told to stop ends, whatever its devices do (S-51). */
final class StopTest {
    private final SimulatedBookie one = new SimulatedBookie(61);

    private void startWithEntries() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 3; i++) {
            assertThat(writer.addAndWait(5, i, "entry " + i)).isEqualTo(StatusCode.OK);
        }
    }

    private void assertHaltsNaming(String directory) {
        one.client(LinkKind.APPEND).add(5, 3, "entry 3");
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(20));

        assertHaltsNaming(directory, one.bookie());
    }

    private void assertHaltsNaming(String directory, Bookie bookie) {
        CompletableFuture<Void> closing = bookie.close();
        one.world.runFor(TimeUnit.SECONDS.toNanos(59));
        assertThat(closing).isNotDone();
        assertThat(one.machine.isRunning()).isTrue();
        one.world.runFor(TimeUnit.SECONDS.toNanos(2));

        assertThat(one.machine.isRunning()).isFalse();
        assertThat(one.machine.lastHalt())
                .returns(ExitCode.STOP_HUNG.code(), SimulatedMachine.Halt::exitCode)
                .extracting(SimulatedMachine.Halt::reason)
                .asString()
                .contains("did not stop within 60 s", directory);
    }

    private void assertNothingIsLost() {
        one.endSession().start();
        assertThat(one.client(LinkKind.OTHER).readOne(5, 2).payloads()).containsExactly("entry 2");
    }

    @Test
    void aHangingDataDirectoryIsNamedAndTheProcessEnds() {
        startWithEntries();
        one.data().faults().stallFor(TimeUnit.MINUTES.toNanos(10));

        assertHaltsNaming(SimulatedBookie.DATA);

        one.data().faults().heal();
        assertNothingIsLost();
    }

    @Test
    void aHangingJournalIsNamedAndTheProcessEnds() {
        startWithEntries();
        one.journal().faults().stick();

        assertHaltsNaming(SimulatedBookie.JOURNAL);

        one.journal().faults().heal();
        assertNothingIsLost();
    }

    /** The host, which shows the core loop. */
    private static final class CoreShown implements Host.Forwarding {
        private final Host host;
        private final List<EventLoop> cores = new ArrayList<>();

        private CoreShown(Host host) {
            this.host = host;
        }

        @Override
        public Host host() {
            return host;
        }

        @Override
        public EventLoop newLoop(String name, LoopKind kind) {
            EventLoop loop = host.newLoop(name, kind);
            if (name.startsWith("bookie-core")) {
                cores.add(loop);
            }
            return loop;
        }
    }

    // A single journal commits on the core loop, which does nothing else as long as its device hangs.
    @Test
    void aHangingJournalThatHoldsUpTheCoreLoopIsNamedAndTheProcessEnds() {
        startWithEntries();
        one.close();
        CoreShown host = new CoreShown(one.machine.host());
        CompletableFuture<Bookie> starting = Bookie.start(one.config, host, one.stores());
        one.until(starting::isDone);
        one.journal().faults().stallFor(TimeUnit.MINUTES.toNanos(10));
        host.cores.get(0).execute(() -> host.disk(SimulatedBookie.JOURNAL).syncDirectory(""));
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(20));

        assertHaltsNaming(SimulatedBookie.JOURNAL, starting.join());

        one.journal().faults().heal();
        assertNothingIsLost();
    }

    @Test
    void aSlowDeviceIsWaitedFor() {
        startWithEntries();
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(40));

        CompletableFuture<Void> closing = one.bookie().close();
        one.until(closing::isDone);

        assertThat(one.machine.lastHalt()).isNull();
    }
}
