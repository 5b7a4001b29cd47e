// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A world with the machines {@code near} and {@code far} and one link between them. */
public final class TwoMachines {
    public static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    public static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    public final SimulatedWorld world;
    public final EventLoop nearLoop;
    public final EventLoop farLoop;
    public final End near = new End();
    public final End far = new End();
    public final Endpoint endpoint;

    /** Opens the link. */
    public TwoMachines(long seed) {
        world = new SimulatedWorld(seed);
        SimulatedHost nearHost = world.machine("near").start();
        SimulatedHost farHost = world.machine("far").start();
        nearLoop = nearHost.newLoop("near-0", LoopKind.NETWORK);
        farLoop = farHost.newLoop("far-0", LoopKind.NETWORK);
        endpoint = world.await(farHost.network().listen(farLoop, new Endpoint("far", 0), remote -> far), SECOND)
                .endpoint();
        connect(near);
        await(() -> near.link != null && far.link != null);
    }

    /** Opens another link from near to far. */
    public void connect(LinkHandler handler) {
        on(nearLoop, () -> {
            world.machine("near").host().network().connect(nearLoop, endpoint, SECOND, handler);
            return true;
        });
    }

    /** Runs an action as a task of a loop. */
    public <T> T on(EventLoop loop, Supplier<T> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        loop.execute(() -> done.complete(action.get()));
        return world.await(done, SECOND);
    }

    /** Sends one frame for each value, in a turn each. */
    public void send(End from, int... values) {
        for (int value : values) {
            from.link()
                    .loop()
                    .execute(() -> from.link().send(from.link().allocate(4).writeInt(value)));
        }
    }

    /** Lets time pass until the condition holds, for at most a minute. */
    public void await(BooleanSupplier condition) {
        if (!world.runUntil(condition, 60 * SECOND)) {
            throw new AssertionError("seed " + world.seed() + " waits in vain, last events:\n" + world.lastEvents());
        }
    }

    /** What one end of a link heard. */
    public static final class End implements LinkHandler {
        public final List<Integer> values = new ArrayList<>();
        public final List<String> closings = new ArrayList<>();
        public @Nullable Link link;

        @Override
        public void opened(Link opened) {
            link = opened;
        }

        @Override
        public void frame(Link from, ByteBuf frame) {
            values.add(frame.readInt());
            frame.release();
        }

        @Override
        public void closed(String reason) {
            closings.add(reason);
        }

        /** The link, which must be open. */
        public Link link() {
            return Objects.requireNonNull(link, "the link is open");
        }
    }
}
