// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.BookieFormat;
import io.daybook.metadata.format.BookieFormat.StoredRegistration;
import io.daybook.metadata.memory.MemoryMetadata.Live;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Bookies, in memory. A registration belongs to the stores through which it was made. */
final class MemoryBookieRegistry implements BookieRegistry {
    private static final String LIVE = "live bookies";

    private final MemoryMetadataStores stores;
    private final MemoryMetadata metadata;
    private final List<Registered> open = new ArrayList<>();

    MemoryBookieRegistry(MemoryMetadataStores stores, MemoryMetadata metadata) {
        this.stores = stores;
        this.metadata = metadata;
    }

    @Override
    public CompletableFuture<Void> addCookie(BookieCookie cookie) {
        byte[] value = BookieFormat.encodeCookie(cookie);
        return stores.change(() -> MemoryMetadata.require(
                metadata.cookies.putIfAbsent(cookie.bookieId(), value) == null,
                MetadataException.Code.ALREADY_EXISTS,
                "bookie " + cookie.bookieId() + " was formatted before"));
    }

    @Override
    public CompletableFuture<BookieCookie> cookie(BookieId bookieId) {
        return stores.call(() -> {
            byte @Nullable [] value = metadata.cookies.get(bookieId);
            if (value == null) {
                throw new MetadataException(
                        MetadataException.Code.NOT_FOUND, "no bookie " + bookieId + " was formatted in this cluster");
            }
            return BookieFormat.decodeCookie(value, "the cookie of bookie " + bookieId);
        });
    }

    @Override
    public CompletableFuture<List<BookieCookie>> cookies() {
        return stores.call(() -> metadata.cookies.entrySet().stream()
                .map(entry -> BookieFormat.decodeCookie(entry.getValue(), "the cookie of bookie " + entry.getKey()))
                .toList());
    }

    @Override
    public CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens) {
        Live made = new Live(BookieFormat.encodeRegistration(registration, tokens.own()), stores);
        BookieId bookieId = registration.bookieId();
        CompletableFuture<Registration> registered = stores.call(() -> {
            @Nullable Live present = metadata.live.get(bookieId);
            if (present != null) {
                StoredRegistration stored = decode(bookieId, present);
                MemoryMetadata.require(
                        tokens.predecessors().contains(stored.token()),
                        MetadataException.Code.ALREADY_EXISTS,
                        what(bookieId) + " belongs to another live process at "
                                + stored.registration().address());
            }
            metadata.live.put(bookieId, made);
            metadata.changed(LIVE);
            Registered own = new Registered(bookieId, tokens.own(), made);
            open.add(own);
            return own;
        });
        if (!registered.isCompletedExceptionally() && registered.join() instanceof Registered own) {
            own.watch();
        }
        return registered;
    }

    private static String what(BookieId bookieId) {
        return "the registration of bookie " + bookieId;
    }

    private static StoredRegistration decode(BookieId bookieId, Live live) {
        return BookieFormat.decodeRegistration(live.value(), what(bookieId));
    }

    @Override
    public CompletableFuture<List<BookieRegistration>> live() {
        return stores.call(() -> metadata.live.entrySet().stream()
                .map(entry -> decode(entry.getKey(), entry.getValue()).registration())
                .toList());
    }

    @Override
    public Watch watchLive(Runnable listener) {
        return stores.watch(LIVE, listener);
    }

    /** Ends all registrations of these stores; called when they close. */
    void endAll() {
        if (metadata.live.values().removeIf(live -> live.owner() == stores)) {
            metadata.changed(LIVE);
        }
    }

    /** Makes those registrations again that are gone and were not closed. */
    void makeAgain() {
        for (Registered registered : open) {
            if (metadata.live.putIfAbsent(registered.bookieId, registered.present) == null) {
                metadata.changed(LIVE);
            }
        }
    }

    /** One registration, until it is closed. */
    private final class Registered implements Registration {
        private final BookieId bookieId;
        private final WriteToken token;
        private final CompletableFuture<Optional<BookieRegistration>> lost = new CompletableFuture<>();
        private volatile Watch watch = () -> {};
        private Live present;
        private boolean isClosed;

        Registered(BookieId bookieId, WriteToken token, Live present) {
            this.bookieId = bookieId;
            this.token = token;
            this.present = present;
        }

        void watch() {
            watch = stores.watch(LIVE, this::check);
            check();
        }

        private void check() {
            Optional<BookieRegistration> other = metadata.alone(() -> isClosed ? Optional.empty() : another());
            if (other.isPresent()) {
                watch.close();
                lost.complete(other);
            }
        }

        /** What another process says of itself, if one is registered in this one's place. */
        private Optional<BookieRegistration> another() {
            return Optional.ofNullable(metadata.live.get(bookieId))
                    .map(live -> decode(bookieId, live))
                    .filter(stored -> !stored.token().equals(token))
                    .map(StoredRegistration::registration);
        }

        @Override
        public CompletableFuture<Optional<BookieRegistration>> lost() {
            return lost.copy();
        }

        @Override
        public CompletableFuture<Void> update(BookieRegistration registration) {
            if (!registration.bookieId().equals(bookieId)) {
                throw new IllegalArgumentException(
                        what(bookieId) + " cannot become that of " + registration.bookieId());
            }
            byte[] value = BookieFormat.encodeRegistration(registration, token);
            return stores.change(() -> {
                MemoryMetadata.require(!isClosed, MetadataException.Code.CLOSED, what(bookieId) + " is closed");
                another().ifPresent(other -> {
                    throw new MetadataException(
                            MetadataException.Code.ALREADY_EXISTS,
                            what(bookieId) + " was taken over by another process at " + other.address());
                });
                present = new Live(value, stores);
                metadata.live.put(bookieId, present);
                metadata.changed(LIVE);
            });
        }

        @Override
        public CompletableFuture<Void> close() {
            watch.close();
            return metadata.alone(() -> {
                if (!isClosed) {
                    isClosed = true;
                    open.remove(this);
                    end();
                }
                return CompletableFuture.completedFuture(null);
            });
        }

        /** Another registration of that id may be there: that of a successor, or one made after these stores were closed. */
        private void end() {
            @Nullable Live stored = metadata.live.get(bookieId);
            if (stored != null && stored.owner() == stores && another().isEmpty()) {
                metadata.live.remove(bookieId);
                metadata.changed(LIVE);
            }
        }
    }
}
