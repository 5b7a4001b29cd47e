// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.BookieFormat;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;
import io.daybook.protocol.BookieId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** Bookies in ZooKeeper: a lasting node for each cookie, an ephemeral one for each live bookie. */
final class ZkBookieRegistry implements BookieRegistry {
    private final ZkSession session;
    private final ZkWatches watches;
    private final ZkPaths paths;

    ZkBookieRegistry(ZkSession session, ZkWatches watches) {
        this.session = session;
        this.watches = watches;
        this.paths = new ZkPaths(session.address().root());
    }

    @Override
    public CompletableFuture<Void> addCookie(BookieCookie cookie) {
        byte[] value = BookieFormat.encodeCookie(cookie);
        return session.run(
                whatCookie(cookie.bookieId()),
                call -> call.ensure(paths.cookies())
                        .thenCompose(
                                above -> call.create(paths.cookie(cookie.bookieId()), value, CreateMode.PERSISTENT))
                        .thenCompose(answer -> onCookie(call, cookie, answer)));
    }

    private String whatCookie(BookieId bookieId) {
        return "the cookie of bookie " + bookieId + " at " + session.address();
    }

    private CompletableFuture<Void> onCookie(ZkCall call, BookieCookie cookie, CuratorEvent answer) {
        return switch (ZkCall.code(answer)) {
            case OK -> CompletableFuture.completedFuture(null);
            case NODEEXISTS -> call.isUnknown() ? settle(call, cookie) : CompletableFuture.failedFuture(taken(call));
            default -> CompletableFuture.failedFuture(call.unexpected(answer));
        };
    }

    /** A cookie is written once and its id is random, so the value that is there tells whose creation it was. */
    private CompletableFuture<Void> settle(ZkCall call, BookieCookie cookie) {
        return cookie(call, cookie.bookieId()).thenAccept(present -> {
            if (!present.equals(cookie)) {
                throw taken(call);
            }
        });
    }

    private static MetadataException taken(ZkCall call) {
        return call.refusal(MetadataException.Code.ALREADY_EXISTS, "was stored before");
    }

    @Override
    public CompletableFuture<BookieCookie> cookie(BookieId bookieId) {
        return session.run(whatCookie(bookieId), call -> cookie(call, bookieId));
    }

    private CompletableFuture<BookieCookie> cookie(ZkCall call, BookieId bookieId) {
        return call.readLatest(paths.cookie(bookieId)).thenApply(answer -> {
            if (ZkCall.code(answer) == Code.NONODE) {
                throw call.refusal(
                        MetadataException.Code.NOT_FOUND,
                        "does not exist: no such bookie was formatted in this cluster");
            }
            return BookieFormat.decodeCookie(answer.getData(), call.what());
        });
    }

    @Override
    public CompletableFuture<List<BookieCookie>> cookies() {
        return session.run(
                "the cookies at " + session.address(),
                call -> values(
                        call,
                        paths.cookies(),
                        answer -> BookieFormat.decodeCookie(answer.getData(), answer.getPath()),
                        BookieCookie::bookieId));
    }

    @Override
    public CompletableFuture<List<BookieRegistration>> live() {
        return session.run(
                "the live bookies at " + session.address(),
                call -> values(
                        call,
                        paths.live(),
                        answer -> BookieFormat.decodeRegistration(answer.getData(), answer.getPath())
                                .registration(),
                        BookieRegistration::bookieId));
    }

    /** The values of all children of a node, in order of the ids in them. One that goes away meanwhile is left out. */
    private static <T> CompletableFuture<List<T>> values(
            ZkCall call, String path, Function<CuratorEvent, T> decode, Function<T, BookieId> id) {
        return call.latest(
                path,
                () -> call.children(path).thenCompose(answer -> {
                    List<CompletableFuture<CuratorEvent>> reads = new ArrayList<>();
                    if (answer.getChildren() != null) {
                        answer.getChildren().forEach(child -> reads.add(call.read(path + '/' + child)));
                    }
                    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                            .thenApply(done -> reads.stream()
                                    .map(CompletableFuture::join)
                                    .filter(read -> ZkCall.code(read) == Code.OK)
                                    .map(decode)
                                    .sorted(Comparator.comparing(id))
                                    .toList());
                }));
    }

    @Override
    public Watch watchLive(Runnable listener) {
        // Recursive, so that a bookie that changes its registration is noticed as well as one that comes or goes.
        return watches.add(paths.live(), AddWatchMode.PERSISTENT_RECURSIVE, listener);
    }

    @Override
    public CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens) {
        return ZkRegistration.register(session, paths, registration, tokens);
    }
}
