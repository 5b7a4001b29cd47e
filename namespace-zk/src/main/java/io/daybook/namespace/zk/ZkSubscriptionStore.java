// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.SubscriptionStore;
import io.daybook.metadata.format.SubscriptionFormat;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Subscriptions in ZooKeeper: a node for each, below the home of its stream. Its version is the transaction (mzxid) that wrote it, so that one that was deleted and made anew
 * never has a version of its predecessor. ZooKeeper itself compares its own small version, which starts anew: so every deletion also raises the version of the node above,
 * which stays as long as the stream, and a replacement checks that none came between.
 */
final class ZkSubscriptionStore implements SubscriptionStore {
    private final ZkSession session;
    private final ZkPaths paths;

    ZkSubscriptionStore(ZkSession session) {
        this.session = session;
        this.paths = new ZkPaths(session.address().root());
    }

    private String what(StreamMetadata stream, String id) {
        StreamNames.check(id);
        return "subscription " + StreamNames.quoted(id) + " of stream " + StreamNames.quoted(stream.name()) + " at "
                + session.address();
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> create(
            StreamMetadata stream, SubscriptionMetadata created) {
        byte[] value = SubscriptionFormat.encode(stream, created);
        String path = paths.subscription(stream, created.id());
        return session.run(
                what(stream, created.id()),
                call -> create(call, stream, path, value).thenCompose(answer -> switch (ZkCall.code(answer)) {
                    case OK -> written(call, path, created, MetadataException.Code.VERSION_CONFLICT);
                    case NODEEXISTS -> written(call, path, created, MetadataException.Code.ALREADY_EXISTS);
                    default -> CompletableFuture.failedFuture(call.unexpected(answer));
                }));
    }

    private CompletableFuture<CuratorEvent> create(ZkCall call, StreamMetadata stream, String path, byte[] value) {
        return call.create(path, value, CreateMode.PERSISTENT)
                .thenCompose(answer -> ZkCall.code(answer) == Code.NONODE
                        ? ensureAbove(call, stream)
                                .thenCompose(above -> call.create(path, value, CreateMode.PERSISTENT))
                        : CompletableFuture.completedFuture(answer));
    }

    /** Makes the node above the subscriptions; the home of a stream that is gone is not made again. */
    private CompletableFuture<CuratorEvent> ensureAbove(ZkCall call, StreamMetadata stream) {
        String above = paths.subscriptions(stream);
        if (stream.home().isBelowName()) {
            return call.ensure(above);
        }
        return call.createBelow(above(above), above.substring(above.lastIndexOf('/') + 1))
                .thenApply(answer -> {
                    if (ZkCall.code(answer) == Code.NONODE) {
                        throw gone(call);
                    }
                    return answer;
                });
    }

    private static MetadataException gone(ZkCall call) {
        return call.refusal(MetadataException.Code.NOT_FOUND, "is of a stream that is not there any more");
    }

    /** The version of what was written, if it still stands there: its token tells (M2). Else refused with {@code refusal}, when it is known that it was not written. */
    private static CompletableFuture<Versioned<SubscriptionMetadata>> written(
            ZkCall call, String path, SubscriptionMetadata written, MetadataException.Code refusal) {
        return call.readLatest(path).thenApply(answer -> {
            if (ZkCall.code(answer) == Code.OK
                    && SubscriptionFormat.decode(answer.getData(), call.what())
                            .token()
                            .equals(written.token())) {
                return new Versioned<>(written, answer.getStat().getMzxid());
            }
            throw call.refusal(
                    call.isUnknown() ? MetadataException.Code.OUTCOME_UNKNOWN : refusal,
                    refusal == MetadataException.Code.ALREADY_EXISTS
                            ? "exists"
                            : "was changed by another at the same time");
        });
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> read(StreamMetadata stream, String id) {
        return session.run(
                what(stream, id),
                call -> call.readLatest(paths.subscription(stream, id))
                        .thenApply(answer -> new Versioned<>(
                                present(call, stream, answer), answer.getStat().getMzxid())));
    }

    private static SubscriptionMetadata present(ZkCall call, StreamMetadata stream, CuratorEvent answer) {
        if (ZkCall.code(answer) == Code.NONODE) {
            throw call.refusal(MetadataException.Code.NOT_FOUND, "does not exist");
        }
        return SubscriptionFormat.decode(stream, answer.getData(), call.what());
    }

    @Override
    public CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            StreamMetadata stream, SubscriptionMetadata next, long version) {
        String path = paths.subscription(stream, next.id());
        return session.run(what(stream, next.id()), call -> replace(call, path, new Next(stream, next, version)));
    }

    private record Standing(CuratorEvent above, CuratorEvent subscription) {}

    private record Next(StreamMetadata stream, SubscriptionMetadata subscription, long version) {}

    private CompletableFuture<Versioned<SubscriptionMetadata>> replace(ZkCall call, String path, Next next) {
        call.requireTime();
        // The one above is read first: a deletion after that is noticed.
        return call.latest(
                        path,
                        () -> call.read(above(path))
                                .thenCompose(above -> call.read(path).thenApply(answer -> new Standing(above, answer))))
                .thenCompose(standing -> replace(call, standing.above(), standing.subscription(), next));
    }

    private CompletableFuture<Versioned<SubscriptionMetadata>> replace(
            ZkCall call, CuratorEvent above, CuratorEvent answer, Next next) {
        SubscriptionMetadata present = present(call, next.stream(), answer);
        long transaction = answer.getStat().getMzxid();
        if (present.token().equals(next.subscription().token())) {
            return CompletableFuture.completedFuture(new Versioned<>(next.subscription(), transaction));
        }
        if (transaction != next.version()) {
            throw call.refusal(
                    call.isUnknown() ? MetadataException.Code.OUTCOME_UNKNOWN : MetadataException.Code.VERSION_CONFLICT,
                    "no longer has version " + next.version());
        }
        String path = answer.getPath();
        ZkOps changes = new ZkOps(session.client())
                .replace(
                        path,
                        SubscriptionFormat.encode(next.stream(), next.subscription()),
                        answer.getStat().getVersion())
                .check(above.getPath(), above.getStat().getVersion());
        return call.changeAll(changes.build()).thenCompose(done -> switch (ZkCall.code(done)) {
            case OK ->
                CompletableFuture.completedFuture(new Versioned<>(
                        next.subscription(),
                        done.getOpResults().get(0).getResultStat().getMzxid()));
            case BADVERSION, NONODE -> replace(call, path, next);
            default -> CompletableFuture.failedFuture(call.unexpected(done));
        });
    }

    private static String above(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** Deletes the node and raises the version of the one above. */
    @Override
    public CompletableFuture<Void> delete(StreamMetadata stream, String id) {
        String path = paths.subscription(stream, id);
        String streamPath = pathOfStream(stream);
        ZkOps changes = new ZkOps(session.client())
                .delete(path)
                .replace(above(path), new byte[0])
                .checkPresent(streamPath);
        return session.run(
                what(stream, id),
                call -> call.changeAll(changes.build()).thenCompose(answer -> switch (ZkCall.code(answer)) {
                    case OK -> CompletableFuture.<Void>completedFuture(null);
                    case NONODE -> requireStream(call, streamPath);
                    default -> CompletableFuture.failedFuture(call.unexpected(answer));
                }));
    }

    /** What is there as long as the stream. */
    private String pathOfStream(StreamMetadata stream) {
        return stream.home().isBelowName()
                ? ZkPaths.incarnation(paths.stream(stream.name()), stream.incarnation())
                : paths.home(stream.identity());
    }

    /** Which of the two was missing. */
    private static CompletableFuture<Void> requireStream(ZkCall call, String streamPath) {
        return call.readLatest(streamPath).thenAccept(answer -> {
            if (ZkCall.code(answer) == Code.NONODE) {
                throw gone(call);
            }
        });
    }

    @Override
    public CompletableFuture<Page<String>> list(StreamMetadata stream, String afterId, int countMax) {
        if (countMax < 1) {
            throw new IllegalArgumentException("a page has room for " + countMax + " items: ask for at least 1");
        }
        String path = paths.subscriptions(stream);
        return session.run(
                "the subscriptions of stream " + StreamNames.quoted(stream.name()) + " at " + session.address(),
                call -> call.latest(path, () -> call.children(path)).thenApply(answer -> {
                    List<String> children = ZkCall.code(answer) == Code.NONODE ? List.of() : answer.getChildren();
                    List<String> following = children.stream()
                            .map(ZkPaths::decoded)
                            .filter(id -> StreamNames.ORDER.compare(id, afterId) > 0)
                            .sorted(StreamNames.ORDER)
                            .limit(countMax + 1L)
                            .toList();
                    boolean isLast = following.size() <= countMax;
                    return new Page<>(isLast ? following : following.subList(0, countMax), isLast);
                }));
    }
}
