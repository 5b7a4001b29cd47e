// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.runtime.simulated.network.NetworkConditions.PartitionMode;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random traffic under random faults: the promises of links hold in every run, and every run can be repeated. */
final class SwarmTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int PORT = 7;

    /** One world with its faults. */
    private static final class Run {
        private final SimulatedWorld world;
        private final SimulatedRandom random;
        private final List<Numbers> ends = new ArrayList<>();
        private boolean quiet;

        private Run(long seed) {
            world = new SimulatedWorld(seed);
            random = world.random("plan");
            NAMES.forEach(this::start);
        }

        private void start(String name) {
            SimulatedHost host = world.machine(name).start();
            EventLoop loop = host.newLoop(name + "-0", LoopKind.NETWORK);
            host.network().listen(loop, new Endpoint(name, PORT), remote -> added(new Numbers(this, host, loop)));
            for (String other : NAMES) {
                if (!other.equals(name)) {
                    connect(host, loop, other);
                }
            }
        }

        private Numbers added(Numbers end) {
            ends.add(end);
            return end;
        }

        private void connect(SimulatedHost host, EventLoop loop, String other) {
            Numbers end = added(new Numbers(this, host, loop));
            end.again = () -> loop.schedule(SECOND / 10, () -> connect(host, loop, other));
            host.network().connect(loop, new Endpoint(other, PORT), SECOND, end);
        }

        private void fault() {
            String one = NAMES.get(random.below(3));
            String other = NAMES.get(random.below(3));
            switch (random.below(8)) {
                case 0 -> world.network().clog(one, other);
                case 1 -> world.network().heal();
                case 2 -> world.network().reset(one, other);
                case 3 -> world.network().halfOpen(one, other, 3 * SECOND);
                case 4 -> world.network().partition(Set.of(one), Set.of(other), PartitionMode.RESET);
                case 5 -> world.machine(one).pause(random.nextBelow(SECOND));
                case 6 -> world.machine(one).clockRate(0.5 + random.below(4));
                default -> restart(one);
            }
        }

        private void restart(String name) {
            if (random.below(2) == 0) {
                world.machine(name).crash();
            } else {
                world.machine(name).kill();
            }
            start(name);
        }

        private long run() {
            for (int i = 1; i <= 40; i++) {
                world.after(i * SECOND / 4, this::fault);
            }
            world.runFor(12 * SECOND);
            quiet = true;
            world.network().heal();
            world.runFor(20 * SECOND);
            return world.traceHash();
        }
    }

    /** An end that sends 0, 1, 2, … and knows that it hears the same. */
    private static final class Numbers implements LinkHandler {
        private final Run run;
        private final SimulatedHost host;
        private final EventLoop loop;
        private Runnable again = () -> {};
        private @Nullable Link link;
        private int sent;
        private int heard;
        private int closings;

        private Numbers(Run run, SimulatedHost host, EventLoop loop) {
            this.run = run;
            this.host = host;
            this.loop = loop;
        }

        private void checkLife() {
            assertThat(host.isAlive()).isTrue();
            assertThat(loop.isInLoop()).isTrue();
            assertThat(closings).isZero();
        }

        @Override
        public void opened(Link opened) {
            checkLife();
            assertThat(link).isNull();
            link = opened;
            sendAndGoOn();
        }

        private void sendAndGoOn() {
            Link open = link;
            if (run.quiet || closings > 0 || open == null) {
                return;
            }
            for (int i = 0; i < 3; i++) {
                open.send(open.allocate(4).writeInt(sent++));
            }
            loop.schedule(SECOND / 50, this::sendAndGoOn);
        }

        @Override
        public void frame(Link from, ByteBuf frame) {
            checkLife();
            assertThat(frame.readInt()).isEqualTo(heard++);
            frame.release();
            if (heard % 100 == 99) {
                from.close("enough");
            }
        }

        @Override
        public void closed(String reason) {
            checkLife();
            closings++;
            again.run();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1001, 2001, 3001})
    void linksKeepTheirPromisesUnderFaults(long firstSeed) {
        for (long seed = firstSeed; seed < firstSeed + 25; seed++) {
            Run run = new Run(seed);
            run.run();

            List<Numbers> open = run.ends.stream()
                    .filter(end -> end.host.isAlive() && end.link != null && end.closings == 0)
                    .toList();
            assertThat(open).as("links open at the end of seed %d", seed).hasSize(12);
            assertThat(open.stream().mapToLong(end -> end.sent).sum())
                    .as("frames sent on open links of seed %d", seed)
                    .isEqualTo(open.stream().mapToLong(end -> end.heard).sum());
            for (String name : NAMES) {
                assertThat(run.world.machine(name).host().buffers().outstanding())
                        .as("buffers of %s, seed %d", name, seed)
                        .isZero();
            }
        }
    }

    @Test
    void runUnderFaultsCanBeRepeated() {
        for (long seed = 0; seed < 10; seed++) {
            assertThat(new Run(seed).run()).isEqualTo(new Run(seed).run());
        }
    }
}
