// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.format.BookieFormat;
import io.daybook.metadata.format.BookieFormat.StoredRegistration;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.WriteToken;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A live bookie's node, kept alive over lost sessions (S-27). The node's value carries a token of this registration, so a node is told to be its
 * own (of the present ZooKeeper session, left over from a former one, or left over from a process that is proved dead) or another's. Its own is replaced; another's is
 * waited for as long as a dead process's session may last, and never taken away (S-32).
 *
 * <p>Beside the node, made and removed with it, stands one named after the token. Every change of the node that was read checks that: a node that came in its place meanwhile
 * may have the same version.
 *
 * <p><i>States:</i> registering, registered, lost to another process, closed. While registered the node is looked after whenever the connection comes back and every third of a
 * session's time.
 *
 * <p><i>Threading:</i> any thread; the steps on the node follow each other through {@link #tail}.
 */
final class ZkRegistration implements BookieRegistry.Registration {
    private static final Logger LOG = LoggerFactory.getLogger(ZkRegistration.class);
    private static final long PAUSE_MILLIS = 100;
    private static final int CHECKS_PER_SESSION = 3;
    private static final byte[] NO_VALUE = {};

    private final ZkSession session;
    private final ZkPaths paths;
    private final String path;
    private final String what;
    private final BookieRegistry.Tokens tokens;
    private final ConnectionStateListener reconnected = (client, state) -> onState(state);
    private BookieRegistration wanted;
    private boolean isRegistered;
    private boolean isClosed;
    private boolean isCheckDue;
    private CompletableFuture<?> tail = CompletableFuture.completedFuture(null);
    private final CompletableFuture<Optional<BookieRegistration>> lost = new CompletableFuture<>();

    private ZkRegistration(
            ZkSession session, ZkPaths paths, BookieRegistration registration, BookieRegistry.Tokens tokens) {
        this.session = session;
        this.paths = paths;
        this.wanted = registration;
        this.tokens = tokens;
        this.path = paths.live(registration.bookieId());
        this.what = "the registration of bookie " + registration.bookieId() + " at " + session.address();
    }

    /**
     * Another process in this one's place.
     *
     * @param registration what it says of itself; empty when that cannot be read
     */
    private record Other(Optional<BookieRegistration> registration) {
        /** How an attempt to make the node this process's own ends when nobody else has it. */
        static final Optional<Other> NONE = Optional.empty();

        @Override
        public String toString() {
            return registration
                    .map(known -> "another live process at " + known.address())
                    .orElse("another live process whose registration cannot be read");
        }
    }

    static CompletableFuture<BookieRegistry.Registration> register(
            ZkSession session, ZkPaths paths, BookieRegistration registration, BookieRegistry.Tokens tokens) {
        ZkRegistration made = new ZkRegistration(session, paths, registration, tokens);
        made.value();
        // Longer than a dead process's session, so that its remnant is gone by then.
        long deadlineNanos = System.nanoTime() + session.timeouts().sessionMillis() * 2_000_000L;
        return session.run(made.what, call -> made.registerUntil(deadlineNanos));
    }

    private CompletableFuture<BookieRegistry.Registration> registerUntil(long deadlineNanos) {
        return session.run(what, this::own).thenCompose(other -> {
            if (other.isEmpty()) {
                onRegistered();
                return CompletableFuture.completedFuture(this);
            }
            if (System.nanoTime() - deadlineNanos >= 0) {
                throw new MetadataException(MetadataException.Code.ALREADY_EXISTS, what + " belongs to " + other.get());
            }
            return pause().thenCompose(passed -> registerUntil(deadlineNanos));
        });
    }

    private CompletableFuture<Boolean> pause() {
        CompletableFuture<Boolean> pause = new CompletableFuture<>();
        session.schedule(() -> pause.complete(true), PAUSE_MILLIS);
        return pause;
    }

    private void onRegistered() {
        synchronized (this) {
            isRegistered = true;
        }
        session.client().getConnectionStateListenable().addListener(reconnected);
        scheduleCheck();
    }

    private void onState(ConnectionState state) {
        if (state == ConnectionState.RECONNECTED) {
            check();
        }
    }

    private void scheduleCheck() {
        session.schedule(
                () -> {
                    if (isOpen()) {
                        check();
                        scheduleCheck();
                    }
                },
                session.timeouts().sessionMillis() / CHECKS_PER_SESSION);
    }

    private synchronized boolean isOpen() {
        return isRegistered && !isClosed;
    }

    /** One at a time waits for the steps before it: during an outage each of them takes as long as a call may. */
    private void check() {
        synchronized (this) {
            if (isCheckDue) {
                return;
            }
            isCheckDue = true;
        }
        inOrder(() -> beginsCheck() ? session.run(what, this::own) : CompletableFuture.completedFuture(Other.NONE))
                .whenComplete((other, failure) -> {
                    if (failure != null) {
                        LOG.debug("{} could not be checked", what, failure);
                    } else {
                        other.ifPresent(this::onOther);
                    }
                });
    }

    private synchronized boolean beginsCheck() {
        isCheckDue = false;
        return isOpen();
    }

    private void onOther(Other other) {
        if (isOpen()) {
            lost.complete(other.registration());
        }
    }

    /** Starts {@code step} when all steps before it have ended. */
    private synchronized <T> CompletableFuture<T> inOrder(Supplier<CompletableFuture<T>> step) {
        CompletableFuture<T> ended = tail.handle((value, failure) -> true).thenCompose(before -> step.get());
        tail = ended;
        return ended;
    }

    private synchronized byte[] value() {
        return BookieFormat.encodeRegistration(wanted, tokens.own());
    }

    /**
     * What was found.
     *
     * @param node the registration
     * @param hasToken whether the node of this registration's token is there
     */
    private record Found(CuratorEvent node, boolean hasToken) {}

    private CompletableFuture<Found> find(ZkCall call) {
        return call.latest(
                path,
                () -> call.read(path)
                        .thenCompose(node -> call.read(tokenPath(tokens.own()))
                                .thenApply(token -> new Found(node, ZkCall.code(token) != Code.NONODE))));
    }

    /** Makes the node one of the present ZooKeeper session, with the wanted value, unless it is another process's. */
    private CompletableFuture<Optional<Other>> own(ZkCall call) {
        call.requireTime();
        return find(call).thenCompose(found -> {
            ZkOps changes = new ZkOps(session.client());
            CuratorEvent node = found.node();
            byte[] value = value();
            if (ZkCall.code(node) == Code.NONODE) {
                // The token's node may be left over when somebody removed the other by hand.
                return change(
                        call, making(found.hasToken() ? changes.delete(tokenPath(tokens.own())) : changes, value));
            }
            Optional<StoredRegistration> stored = stored(node);
            if (stored.filter(known -> tokens.covers(known.token())).isEmpty()) {
                return CompletableFuture.completedFuture(
                        Optional.of(new Other(stored.map(StoredRegistration::registration))));
            }
            boolean isOfThisSession =
                    session.id().equals(OptionalLong.of(node.getStat().getEphemeralOwner()));
            WriteToken token = stored.get().token();
            if (!isOfThisSession || !token.equals(tokens.own())) {
                // Left over from a former session, of this process or of a dead one, which would take the node away
                // when it expires.
                return change(call, making(removing(node, token), value));
            }
            int version = node.getStat().getVersion();
            if (!found.hasToken()) {
                // Removed by hand.
                return change(call, changes.check(path, version).createEphemeral(tokenPath(token), NO_VALUE));
            }
            if (Arrays.equals(node.getData(), value)) {
                return CompletableFuture.completedFuture(Other.NONE);
            }
            return change(call, changes.checkPresent(tokenPath(token)).replace(path, value, version));
        });
    }

    private String tokenPath(WriteToken token) {
        return paths.registrationToken(wanted().bookieId(), token);
    }

    private ZkOps making(ZkOps changes, byte[] value) {
        return changes.createEphemeral(path, value).createEphemeral(tokenPath(tokens.own()), NO_VALUE);
    }

    /** Of the node that was read, and of no other that came in its place. */
    private ZkOps removing(CuratorEvent read, WriteToken token) {
        return new ZkOps(session.client())
                .delete(tokenPath(token))
                .delete(path, read.getStat().getVersion());
    }

    /** Looks again after every change but a refused one of a missing node: what is there then decides, also when an answer was lost (M2). */
    private CompletableFuture<Optional<Other>> change(ZkCall call, ZkOps changes) {
        return call.changeAll(changes.build()).thenCompose(answer -> switch (ZkCall.code(answer)) {
            case OK, BADVERSION, NODEEXISTS -> own(call);
            case NONODE ->
                // Or the token's node of a remnant was removed by hand: then its session's end is waited for.
                call.ensure(paths.live())
                        .thenCompose(above -> call.ensure(paths.registrationTokens()))
                        .thenCompose(above -> pause())
                        .thenCompose(passed -> own(call));
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        });
    }

    /** A value that cannot be read is somebody else's (M6). */
    private Optional<StoredRegistration> stored(CuratorEvent answer) {
        try {
            return Optional.of(BookieFormat.decodeRegistration(answer.getData(), path));
        } catch (MetadataException unreadable) {
            LOG.debug("{} is not ours", what, unreadable);
            return Optional.empty();
        }
    }

    @Override
    public CompletableFuture<Void> update(BookieRegistration registration) {
        if (!registration.bookieId().equals(wanted().bookieId())) {
            throw new IllegalArgumentException(what + " cannot become that of " + registration.bookieId());
        }
        BookieFormat.encodeRegistration(registration, tokens.own());
        return session.run(
                what,
                call -> inOrder(() -> {
                    want(call, registration);
                    return own(call)
                            .thenAccept(found -> found.ifPresent(other -> {
                                onOther(other);
                                throw call.refusal(MetadataException.Code.ALREADY_EXISTS, "was taken over by " + other);
                            }));
                }));
    }

    private synchronized void want(ZkCall call, BookieRegistration registration) {
        if (isClosed) {
            throw call.refusal(MetadataException.Code.CLOSED, "is closed");
        }
        wanted = registration;
    }

    private synchronized BookieRegistration wanted() {
        return wanted;
    }

    @Override
    public CompletableFuture<Optional<BookieRegistration>> lost() {
        return lost.copy();
    }

    @Override
    public CompletableFuture<Void> close() {
        synchronized (this) {
            isClosed = true;
        }
        session.client().getConnectionStateListenable().removeListener(reconnected);
        return session.isClosed()
                ? CompletableFuture.completedFuture(null)
                : session.run(what, call -> inOrder(() -> remove(call)));
    }

    private CompletableFuture<Void> remove(ZkCall call) {
        call.requireTime();
        return call.readLatest(path).thenCompose(answer -> {
            Optional<WriteToken> ours = ZkCall.code(answer) == Code.NONODE
                    ? Optional.empty()
                    : stored(answer).map(StoredRegistration::token).filter(tokens::covers);
            return ours.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : call.changeAll(removing(answer, ours.get()).build()).thenCompose(removed -> remove(call));
        });
    }
}
