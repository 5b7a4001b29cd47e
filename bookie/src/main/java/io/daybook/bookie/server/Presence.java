// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.runtime.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a bookie says of itself in metadata, kept up to date over failures of the metadata store (S-31).
 *
 * <p><i>States:</i> told; telling (one update at a time; the newest wish follows) → told; lost to another process, which the bookie must not outlive (S-32);
 * closed.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class Presence {
    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How often a change of free space alone is told. */
    private static final long SPACE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final EventLoop core;
    private final BookieRegistry.Registration registration;
    private BookieRegistration told;
    private BookieRegistration wanted;
    private long toldNanos;
    private boolean isTelling;
    private boolean isClosed;

    /**
     * Of a bookie that was registered with {@code first}.
     *
     * @param onLost told once, on the core loop, when another process is registered in its place, and how that is reached
     */
    public Presence(
            EventLoop core,
            BookieRegistry.Registration registration,
            BookieRegistration first,
            Consumer<String> onLost) {
        this.core = core;
        this.registration = registration;
        this.told = first;
        this.wanted = first;
        this.toldNanos = core.nanoTime();
        core.resume(registration.lost(), (other, failure) -> {
            if (other != null && !isClosed) {
                onLost.accept(other.map(BookieRegistration::address).orElse("an address that cannot be read"));
            }
        });
    }

    /** What was told last. */
    public BookieRegistration told() {
        return told;
    }

    /** Tells whether it is read-only at once, and how much space it has now and then. */
    public void tell(boolean readOnly, long usableBytes) {
        boolean isDue = readOnly != told.readOnly() || core.nanoTime() - toldNanos >= SPACE_NANOS;
        if (isDue && !isClosed) {
            wanted = new BookieRegistration(
                    told.bookieId(), told.name(), told.host(), told.port(), readOnly, told.rack(), usableBytes);
            update();
        }
    }

    private void update() {
        if (isTelling || isClosed || wanted.equals(told)) {
            return;
        }
        isTelling = true;
        BookieRegistration next = wanted;
        core.resume(registration.update(next), (done, failure) -> {
            if (failure == null) {
                isTelling = false;
                told = next;
                toldNanos = core.nanoTime();
                update();
            } else {
                LOG.warn("bookie={} its registration is out of date: {}", next.bookieId(), failure.getMessage());
                core.schedule(RETRY_NANOS, () -> {
                    isTelling = false;
                    update();
                });
            }
        });
    }

    /** Ends the registration. Idempotent. */
    public CompletableFuture<Void> close() {
        isClosed = true;
        return registration.close();
    }
}
