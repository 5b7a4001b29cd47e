// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Timer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live bookies as the registry showed them last: a copy kept fresh by a watch, a poll as backstop, and a reading whenever a link fails. The address
 * of a bookie that has left the registry is remembered, because its session may be lost while the bookie itself is well.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class LiveBookies {
    private static final Logger LOG = LoggerFactory.getLogger(LiveBookies.class);
    private static final long POLL_NANOS = 5_000_000_000L;
    private static final long RETRY_NANOS = 200_000_000L;

    private final EventLoop loop;
    private final BookieRegistry registry;
    private final long answerNanosMax;
    private final Map<BookieId, BookieRegistration> live = new TreeMap<>();
    private final Map<BookieId, Endpoint> addresses = new TreeMap<>();
    private final Set<Runnable> listeners = new LinkedHashSet<>();
    private final List<Consumer<Optional<Throwable>>> waiting = new ArrayList<>();
    private @Nullable Watch watch;
    private @Nullable Timer poll;
    private long lastReading;
    private long lastAnswered;
    private boolean isLoaded;
    private boolean isReading;
    private boolean isReadAgain;
    private boolean isClosed;

    /**
     * Reads nothing before it is asked.
     *
     * @param answerNanosMax after which the registry has failed to answer, for those who wait; an answer that comes later is still taken
     */
    public LiveBookies(EventLoop loop, BookieRegistry registry, long answerNanosMax) {
        this.loop = loop;
        this.registry = registry;
        this.answerNanosMax = answerNanosMax;
    }

    /** Calls {@code consumer} once the registry has been read at least once; with the failure when the reading now under way fails. */
    public void whenLoaded(Consumer<Optional<Throwable>> consumer) {
        if (isLoaded) {
            consumer.accept(Optional.empty());
            return;
        }
        waiting.add(consumer);
        refresh();
    }

    /** Reads the registry anew, soon. */
    public void refresh() {
        if (isClosed) {
            return;
        }
        if (isReading) {
            isReadAgain = true;
            return;
        }
        isReading = true;
        try {
            if (watch == null) {
                watch = registry.watchLive(() -> loop.execute(this::refresh));
            }
            long reading = ++lastReading;
            Timer deadline = loop.schedule(answerNanosMax, () -> onRead(reading, null, noAnswer()));
            loop.resume(registry.live(), (bookies, failure) -> {
                deadline.cancel();
                onRead(reading, bookies, bookies == null && failure == null ? toldNothing() : failure);
            });
        } catch (RuntimeException bug) {
            // Whoever waits for the bookies is told, or would wait for ever (V7).
            loop.execute(() -> onRead(lastReading, null, bug));
        }
    }

    private static MetadataException noAnswer() {
        return new MetadataException(
                MetadataException.Code.UNAVAILABLE, "the registry of bookies did not answer in time");
    }

    private static IllegalStateException toldNothing() {
        return new IllegalStateException("the registry of bookies answered with null");
    }

    /** Where a bookie listens, or listened last; empty when it was never seen. */
    public Optional<Endpoint> address(BookieId bookie) {
        return Optional.ofNullable(addresses.get(bookie));
    }

    /** The live bookies in order of their ids. */
    public Collection<BookieRegistration> all() {
        return List.copyOf(live.values());
    }

    /** Calls {@code listener} after every change. */
    public void addListener(Runnable listener) {
        listeners.add(listener);
    }

    /** Undoes {@link #addListener}. */
    public void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    /** Ends the watch and the poll. */
    public void close() {
        isClosed = true;
        if (watch != null) {
            watch.close();
        }
        if (poll != null) {
            poll.cancel();
        }
        waiting.clear();
        listeners.clear();
    }

    private void onRead(long reading, @Nullable List<BookieRegistration> bookies, @Nullable Throwable failure) {
        boolean isNews = bookies != null && reading > lastAnswered;
        boolean isAwaited = isReading && reading == lastReading;
        if (isClosed || !(isNews || isAwaited)) {
            return;
        }
        isReading = isReading && !isAwaited;
        boolean changed = false;
        if (bookies != null) {
            lastAnswered = reading;
            changed = adopt(bookies);
        }
        if (failure != null) {
            LOG.debug("the live bookies could not be read: {}", failure.getMessage());
        }
        List<Consumer<Optional<Throwable>>> told = List.copyOf(waiting);
        waiting.clear();
        told.forEach(consumer -> consumer.accept(Optional.ofNullable(failure)));
        if (changed) {
            List.copyOf(listeners).forEach(Runnable::run);
        }
        readLater(failure == null ? POLL_NANOS : RETRY_NANOS);
    }

    private boolean adopt(List<BookieRegistration> bookies) {
        Map<BookieId, BookieRegistration> before = new TreeMap<>(live);
        live.clear();
        for (BookieRegistration bookie : bookies) {
            live.put(bookie.bookieId(), bookie);
            addresses.put(bookie.bookieId(), new Endpoint(bookie.host(), bookie.port()));
        }
        boolean changed = !isLoaded || !before.equals(live);
        isLoaded = true;
        return changed;
    }

    private void readLater(long delayNanos) {
        if (poll != null) {
            poll.cancel();
        }
        if (isReadAgain) {
            isReadAgain = false;
            refresh();
            return;
        }
        poll = loop.schedule(delayNanos, this::refresh);
    }
}
