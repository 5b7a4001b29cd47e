// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.format.BookieFormat;
import io.daybook.metadata.format.BookieFormat.StoredRegistration;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A live bookie's node, kept alive over lost sessions (S-27). The node's value carries a token of this registration, so a node is told to be its
 * own (of the present ZooKeeper session, left over from a former one, or left over from a process that is proved dead) or another's. Its own is replaced; another's is
 * waited for as long as a dead process's session may last, and never taken away.
 *
 * <p><i>States:</i> registering, registered, closed. While registered the node is looked after whenever the connection comes back and every third of a
 * session's time.
 *
 * <p><i>Threading:</i> any thread; the steps on the node follow each other through {@link #tail}.
 */
final class ZkRegistration implements BookieRegistry.Registration {
    private static final Logger LOG = LoggerFactory.getLogger(ZkRegistration.class);
    private static final long PAUSE_MILLIS = 100;
    private static final int CHECKS_PER_SESSION = 3;

    private final ZkSession session;
    private final ZkPaths paths;
    private final String path;
    private final String what;
    private final BookieRegistry.Tokens tokens;
    private final ConnectionStateListener reconnected = (client, state) -> onState(state);
    private BookieRegistration wanted;
    private boolean isRegistered;
    private boolean isClosed;
    private CompletableFuture<?> tail = CompletableFuture.completedFuture(null);

    private ZkRegistration(
            ZkSession session, ZkPaths paths, BookieRegistration registration, BookieRegistry.Tokens tokens) {
        this.session = session;
        this.paths = paths;
        this.wanted = registration;
        this.tokens = tokens;
        this.path = paths.live(registration.bookieId());
        this.what = "the registration of bookie " + registration.bookieId() + " at " + session.address();
    }

    /** How a node was found after trying to make it this process's own. */
    private enum Owner {
        SELF,
        OTHER
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
        return session.run(what, this::own).thenCompose(owner -> {
            if (owner == Owner.SELF) {
                onRegistered();
                return CompletableFuture.completedFuture(this);
            }
            if (System.nanoTime() - deadlineNanos >= 0) {
                throw new MetadataException(
                        MetadataException.Code.ALREADY_EXISTS,
                        what + " belongs to another live process: stop that one, or format other directories");
            }
            CompletableFuture<Boolean> pause = new CompletableFuture<>();
            session.schedule(() -> pause.complete(true), PAUSE_MILLIS);
            return pause.thenCompose(passed -> registerUntil(deadlineNanos));
        });
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

    private void check() {
        inOrder(() -> isOpen() ? session.run(what, this::own) : CompletableFuture.completedFuture(Owner.SELF))
                .whenComplete((owner, failure) -> {
                    if (failure != null) {
                        LOG.debug("{} could not be checked", what, failure);
                    } else if (owner == Owner.OTHER) {
                        LOG.error("{} was taken over by another process: stop one of the two", what);
                    }
                });
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

    /** Makes the node one of the present ZooKeeper session, with the wanted value, unless it is another process's. */
    private CompletableFuture<Owner> own(ZkCall call) {
        call.requireTime();
        return call.readLatest(path).thenCompose(answer -> {
            byte[] value = value();
            if (ZkCall.code(answer) == Code.NONODE) {
                return call.create(path, value, CreateMode.EPHEMERAL).thenCompose(created -> onWritten(call, created));
            }
            if (!isOurs(answer)) {
                return CompletableFuture.completedFuture(Owner.OTHER);
            }
            int version = answer.getStat().getVersion();
            if (answer.getStat().getEphemeralOwner() != sessionId()) {
                // Left over from a former session, of this process or of a dead one, which would take the node away
                // when
                // it expires.
                List<CuratorOp> changes = new ZkOps(session.client())
                        .delete(path, version)
                        .createEphemeral(path, value)
                        .build();
                return call.changeAll(changes).thenCompose(replaced -> onWritten(call, replaced));
            }
            if (Arrays.equals(answer.getData(), value)) {
                return CompletableFuture.completedFuture(Owner.SELF);
            }
            return call.replace(path, value, version).thenCompose(replaced -> onWritten(call, replaced));
        });
    }

    /** Looks again after every write but a refused one of a missing parent: what is there then decides, also when an answer was lost (M2). */
    private CompletableFuture<Owner> onWritten(ZkCall call, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK, BADVERSION, NODEEXISTS -> own(call);
            case NONODE -> call.ensure(paths.live()).thenCompose(above -> own(call));
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    /** A value that cannot be read is somebody else's (M6). */
    private boolean isOurs(CuratorEvent answer) {
        try {
            StoredRegistration stored = BookieFormat.decodeRegistration(answer.getData(), path);
            return tokens.covers(stored.token());
        } catch (MetadataException unreadable) {
            LOG.debug("{} is not ours", what, unreadable);
            return false;
        }
    }

    private long sessionId() {
        try {
            return session.client().getZookeeperClient().getZooKeeper().getSessionId();
        } catch (Exception disconnected) {
            // Curator declares Exception. No session owns this id, so the caller looks again through its next request.
            LOG.debug("{}: no session at the moment", what, disconnected);
            return -1;
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
                    return own(call).thenAccept(owner -> {
                        if (owner == Owner.OTHER) {
                            throw call.refusal(
                                    MetadataException.Code.ALREADY_EXISTS, "was taken over by another process");
                        }
                    });
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
            if (ZkCall.code(answer) == Code.NONODE || !isOurs(answer)) {
                return CompletableFuture.completedFuture(null);
            }
            return call.delete(path, answer.getStat().getVersion()).thenCompose(deleted -> remove(call));
        });
    }
}
