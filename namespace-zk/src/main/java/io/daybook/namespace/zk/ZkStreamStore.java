// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.namespace.zk.ZkSegments.Kept;
import io.daybook.namespace.zk.ZkSegments.Present;
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Streams in ZooKeeper: a node for the head, by its name, and one for its home, with a node for each segment in buckets below that, changed together. A rename moves the head.
 *
 * <p>The version of a head is the transaction (mzxid) that wrote it. ZooKeeper never uses one again, so a version of a deleted stream means nothing to a
 * stream made anew under its name. ZooKeeper itself compares its own small version, which starts anew: the node of the incarnation is checked with it.
 */
final class ZkStreamStore implements StreamMetadataStore {
    private final ZkSession session;
    private final ZkWatches watches;
    private final ZkPaths paths;
    private final ZkStreamListing listing;
    private final ZkSegments segments;

    ZkStreamStore(ZkSession session, ZkWatches watches) {
        this.session = session;
        this.watches = watches;
        this.paths = new ZkPaths(session.address().root());
        this.listing = new ZkStreamListing(session, paths);
        this.segments = new ZkSegments();
    }

    private String what(String name) {
        StreamNames.check(name);
        return "stream " + StreamNames.quoted(name) + " at " + session.address();
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> create(StreamMetadata head) {
        StreamFormat.encode(head);
        return session.run(what(head.name()), call -> create(call, head, OptionalInt.empty()));
    }

    /** The bucket is checked with the creation: no stream of the name has come and gone since its value, and at first the count of its changes, was read. */
    private CompletableFuture<Versioned<StreamMetadata>> create(
            ZkCall call, StreamMetadata asked, OptionalInt changesBefore) {
        call.requireTime();
        String path = paths.stream(asked.name());
        String bucketPath = ZkPaths.bucket(path);
        return call.read(bucketPath).thenCompose(bucket -> {
            if (ZkCall.code(bucket) == Code.NONODE) {
                return call.ensure(bucketPath).thenCompose(above -> create(call, asked, changesBefore));
            }
            int before = changesBefore.orElse(bucket.getStat().getCversion());
            StreamMetadata head = asked.numberedFrom(nextOrigin(call, bucket));
            ZkOps changes = new ZkOps(session.client())
                    .check(bucketPath, bucket.getStat().getVersion())
                    .create(path, StreamFormat.encode(head))
                    .create(ZkPaths.incarnation(path, head.incarnation()), new byte[0]);
            if (!head.home().isBelowName()) {
                changes.create(paths.home(head.identity()), StreamFormat.encodeHome(head.name()));
            }
            return call.changeAll(changes.build()).thenCompose(answer -> switch (ZkCall.code(answer)) {
                case OK -> created(call, head);
                case NODEEXISTS, BADVERSION -> refused(call, head, ZkCall.code(answer), before);
                case NONODE ->
                    call.ensure(ZkPaths.bucket(paths.home(head.identity())))
                            .thenCompose(above -> create(call, asked, OptionalInt.of(before)));
                default -> CompletableFuture.failedFuture(call.unexpected(answer));
            });
        });
    }

    /** Where the segment numbers of a stream begin that is made in a bucket: a bucket is without value until a stream of it was deleted. */
    private static long nextOrigin(ZkCall call, CuratorEvent bucket) {
        return bucket.getData().length == 0
                ? StreamMetadata.FIRST_ORIGIN
                : StreamFormat.decodeBucket(
                        bucket.getData(), call.what() + ": the value of its bucket " + bucket.getPath());
    }

    /**
     * After a refusal because of what is there. An earlier try of this call (M2) may have been made, and deleted before anybody knew of it: two changes of the bucket, and another for
     * the stream that stands there now. Fewer tell for certain that it was not; what was made once is not made again, or its incarnation would stand for two streams.
     */
    private CompletableFuture<Versioned<StreamMetadata>> refused(
            ZkCall call, StreamMetadata head, Code why, int changesBefore) {
        if (why == Code.NODEEXISTS && !call.isUnknown()) {
            return CompletableFuture.failedFuture(existed(call));
        }
        String path = paths.stream(head.name());
        return call.readLatest(path).thenCompose(answer -> {
            boolean isThere = ZkCall.code(answer) != Code.NONODE;
            Optional<Versioned<StreamMetadata>> own = isThere ? own(call, head, answer) : Optional.empty();
            if (own.isPresent()) {
                return CompletableFuture.completedFuture(own.get());
            }
            // Read after the stream, so that no change before that is left out.
            return call.readLatest(ZkPaths.bucket(path)).thenCompose(bucket -> {
                int changes = bucket.getStat().getCversion() - changesBefore;
                if (call.isUnknown() && changes >= (isThere ? 3 : 2)) {
                    throw unknown(call);
                }
                return isThere || why == Code.NODEEXISTS
                        ? CompletableFuture.failedFuture(existed(call))
                        : create(call, head, OptionalInt.of(changesBefore));
            });
        });
    }

    private static MetadataException existed(ZkCall call) {
        return call.refusal(MetadataException.Code.ALREADY_EXISTS, "cannot be created: it exists");
    }

    private static MetadataException unknown(ZkCall call) {
        return call.refusal(
                MetadataException.Code.OUTCOME_UNKNOWN, "was deleted or created by another while it was created");
    }

    /** Reads what is there after a creation. */
    private CompletableFuture<Versioned<StreamMetadata>> created(ZkCall call, StreamMetadata head) {
        return call.readLatest(paths.stream(head.name())).thenApply(answer -> {
            if (ZkCall.code(answer) == Code.NONODE) {
                throw unknown(call);
            }
            return own(call, head, answer).orElseThrow(() -> unknown(call));
        });
    }

    /** The stream that was read, as at its creation, also if it was changed since, or made by an earlier try of this call; empty when it is another's. */
    private static Optional<Versioned<StreamMetadata>> own(ZkCall call, StreamMetadata head, CuratorEvent answer) {
        StreamMetadata present = StreamFormat.decode(answer.getData(), call.what());
        return present.incarnation().equals(head.incarnation())
                ? Optional.of(new Versioned<>(
                        head.numberedFrom(present.originSegmentNumber()),
                        answer.getStat().getCzxid()))
                : Optional.empty();
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> read(String name) {
        return session.run(
                what(name),
                call -> call.readLatest(paths.stream(name))
                        .thenApply(answer -> new Versioned<>(
                                present(call, answer), answer.getStat().getMzxid())));
    }

    private static StreamMetadata present(ZkCall call, CuratorEvent answer) {
        if (ZkCall.code(answer) == Code.NONODE) {
            throw missing(call);
        }
        return StreamFormat.decode(answer.getData(), call.what());
    }

    private static MetadataException missing(ZkCall call) {
        return call.refusal(MetadataException.Code.NOT_FOUND, "does not exist");
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> commit(StreamChange change) {
        Commit commit = new Commit(change);
        return session.run(what(change.head().name()), commit::run);
    }

    /** One atomic change of a stream, begun again from a fresh reading until it is done or refused for certain. */
    private final class Commit {
        private final StreamChange change;
        private final byte[] value;
        private final String path;
        private final String above;
        private Optional<Integer> replacedVersion = Optional.empty();

        Commit(StreamChange change) {
            this.change = change;
            this.value = StreamFormat.encode(change.head());
            this.path = paths.stream(change.head().name());
            this.above = paths.aboveSegments(change.head());
            change.puts().forEach(segment -> StreamFormat.encodeSegment(change.head(), segment));
        }

        CompletableFuture<Versioned<StreamMetadata>> run(ZkCall call) {
            call.requireTime();
            return call.readLatest(path).thenCompose(answer -> {
                if (ZkCall.code(answer) == Code.NONODE && call.isUnknown()) {
                    throw call.refusal(
                            MetadataException.Code.OUTCOME_UNKNOWN,
                            "was deleted or renamed since; whether this change came before is not known");
                }
                StreamMetadata present = present(call, answer);
                int version = answer.getStat().getVersion();
                long transaction = answer.getStat().getMzxid();
                if (call.isUnknown() && present.token().equals(change.head().token())) {
                    return CompletableFuture.completedFuture(new Versioned<>(change.head(), transaction));
                }
                boolean isSuccessor =
                        !present.incarnation().equals(change.head().incarnation());
                if (transaction != change.version() || isSuccessor) {
                    throw conflict(call, isSuccessor ? Integer.MAX_VALUE : version);
                }
                replacedVersion = Optional.of(version);
                return segments.present(call, above, ZkSegments.numbersAtHome(change))
                        .thenCompose(numbers -> change(call, version, numbers));
            });
        }

        /** After a lost answer the next version decides for certain whose write it was; a later one no longer tells. */
        private MetadataException conflict(ZkCall call, int presentVersion) {
            boolean isSettled = !call.isUnknown()
                    || replacedVersion
                            .filter(replaced -> presentVersion == replaced + 1)
                            .isPresent();
            return isSettled
                    ? call.refusal(MetadataException.Code.VERSION_CONFLICT, "no longer has version " + change.version())
                    : call.refusal(
                            MetadataException.Code.OUTCOME_UNKNOWN,
                            "was changed by others since; whether this change came before them is not known");
        }

        private CompletableFuture<Versioned<StreamMetadata>> change(ZkCall call, int version, Set<Long> present) {
            ZkOps ops = new ZkOps(session.client())
                    .replace(path, value, version)
                    .checkPresent(ZkPaths.incarnation(path, change.head().incarnation()));
            ZkSegments.add(ops, change, new Present(above, present));
            return call.changeAll(ops.build()).thenCompose(answer -> onChange(call, answer));
        }

        private CompletableFuture<Versioned<StreamMetadata>> onChange(ZkCall call, CuratorEvent answer) {
            return switch (ZkCall.code(answer)) {
                case OK ->
                    CompletableFuture.completedFuture(new Versioned<>(
                            change.head(),
                            answer.getOpResults().get(0).getResultStat().getMzxid()));
                case NONODE -> segments.ensureBuckets(call, above, change).thenCompose(made -> run(call));
                case BADVERSION, NODEEXISTS -> run(call);
                default -> CompletableFuture.failedFuture(call.unexpected(answer));
            };
        }
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> rename(StreamChange change, NewName to) {
        StreamNames.check(to.name());
        Renaming renaming = new Renaming(change, to);
        return session.run(what(change.head().name()), renaming::run);
    }

    /** One atomic change that moves a head, begun again from a fresh reading until it is done or refused for certain. */
    private final class Renaming {
        private final StreamChange change;
        private final NewName to;
        private final String path;
        private final String toPath;

        Renaming(StreamChange change, NewName to) {
            StreamFormat.encode(change.head());
            this.change = change;
            this.to = to;
            this.path = paths.stream(change.head().name());
            this.toPath = paths.stream(to.name());
        }

        CompletableFuture<Versioned<StreamMetadata>> run(ZkCall call) {
            call.requireTime();
            return call.readLatest(path).thenCompose(answer -> {
                if (ZkCall.code(answer) == Code.NONODE) {
                    return settled(call, missing(call));
                }
                MetadataException conflict = call.refusal(
                        MetadataException.Code.VERSION_CONFLICT, "no longer has version " + change.version());
                if (!present(call, answer).incarnation().equals(change.head().incarnation())) {
                    return settled(call, conflict);
                }
                // As long as it has its incarnation it was not renamed, by no try of this.
                return answer.getStat().getMzxid() == change.version()
                        ? readBuckets(call, answer.getStat().getVersion())
                        : CompletableFuture.failedFuture(conflict);
            });
        }

        /** The origin under the other name is read before the change, which checks that no stream of that name has come and gone since. */
        private CompletableFuture<Versioned<StreamMetadata>> readBuckets(ZkCall call, int version) {
            return call.read(ZkPaths.bucket(path))
                    .thenCompose(from -> call.read(ZkPaths.bucket(toPath)).thenCompose(bucket -> {
                        if (ZkCall.code(from) == Code.NONODE || ZkCall.code(bucket) == Code.NONODE) {
                            return call.ensure(ZkPaths.bucket(toPath)).thenCompose(made -> run(call));
                        }
                        StreamMetadata next =
                                change.head().movedTo(to.name(), to.incarnation(), nextOrigin(call, bucket));
                        return segments.present(call, paths.aboveSegments(next), ZkSegments.numbersAtHome(change))
                                .thenCompose(present -> {
                                    ZkOps ops = new ZkOps(session.client())
                                            .replace(paths.home(next.identity()), StreamFormat.encodeHome(next.name()))
                                            .delete(ZkPaths.incarnation(
                                                    path, change.head().incarnation()))
                                            .delete(path, version);
                                    addBuckets(call, ops, from, bucket);
                                    ops.create(toPath, StreamFormat.encode(next))
                                            .create(ZkPaths.incarnation(toPath, next.incarnation()), new byte[0]);
                                    ZkSegments.add(ops, change, new Present(paths.aboveSegments(next), present));
                                    return call.changeAll(ops.build());
                                })
                                .thenCompose(answer -> onChange(call, next, answer));
                    }));
        }

        /** The origin of streams to come in the bucket that it leaves rises as by a deletion; both may be one. */
        private void addBuckets(ZkCall call, ZkOps ops, CuratorEvent from, CuratorEvent bucket) {
            boolean rises = nextOrigin(call, from) < change.head().nextOrigin();
            if (rises) {
                byte[] value = StreamFormat.encodeBucket(change.head().nextOrigin(), session.newToken());
                ops.replace(from.getPath(), value, from.getStat().getVersion());
            }
            if (!rises || !from.getPath().equals(bucket.getPath())) {
                ops.check(bucket.getPath(), bucket.getStat().getVersion());
            }
        }

        private CompletableFuture<Versioned<StreamMetadata>> onChange(
                ZkCall call, StreamMetadata next, CuratorEvent answer) {
            return switch (ZkCall.code(answer)) {
                case OK ->
                    CompletableFuture.completedFuture(new Versioned<>(
                            next, answer.getOpResults().get(0).getResultStat().getMzxid()));
                // The head was where it is deleted, so no try before has moved it.
                case NODEEXISTS ->
                    call.readLatest(toPath).thenCompose(there -> {
                        if (ZkCall.code(there) == Code.NONODE) {
                            return run(call);
                        }
                        throw call.refusal(
                                MetadataException.Code.ALREADY_EXISTS,
                                "cannot be renamed: stream " + StreamNames.quoted(to.name()) + " exists");
                    });
                case NONODE ->
                    segments.ensureBuckets(call, paths.aboveSegments(next), change)
                            .thenCompose(made -> run(call));
                case BADVERSION -> run(call);
                default -> CompletableFuture.failedFuture(call.unexpected(answer));
            };
        }

        /** After a lost answer the head under the other name tells whether this was done (M2); one that was moved on or deleted since no longer tells. */
        private CompletableFuture<Versioned<StreamMetadata>> settled(ZkCall call, MetadataException refusal) {
            return call.isUnknown() ? arrived(call) : CompletableFuture.failedFuture(refusal);
        }

        /** The head as it arrived, which may have been changed since; its origin tells by how much its numbers rose, whatever a later try would make of them. */
        private CompletableFuture<Versioned<StreamMetadata>> arrived(ZkCall call) {
            return call.readLatest(toPath).thenApply(answer -> {
                if (ZkCall.code(answer) == Code.OK) {
                    StreamMetadata there =
                            StreamFormat.decode(answer.getData(), "stream " + StreamNames.quoted(to.name()));
                    if (there.incarnation().equals(to.incarnation())) {
                        return new Versioned<>(
                                change.head().movedTo(to.name(), to.incarnation(), there.originSegmentNumber()),
                                answer.getStat().getCzxid());
                    }
                }
                throw call.refusal(
                        MetadataException.Code.OUTCOME_UNKNOWN,
                        "was changed by others since; whether it was renamed before is not known");
            });
        }
    }

    @Override
    public CompletableFuture<String> nameOf(WriteToken identity) {
        return session.run(
                "the home of a stream at " + session.address(),
                call -> call.readLatest(paths.home(identity)).thenApply(answer -> {
                    if (ZkCall.code(answer) == Code.NONODE) {
                        throw missing(call);
                    }
                    return StreamFormat.decodeHome(answer.getData(), answer.getPath());
                }));
    }

    @Override
    public CompletableFuture<Void> delete(String name, long version) {
        return session.run(what(name), call -> delete(call, paths.stream(name), version));
    }

    private CompletableFuture<Void> delete(ZkCall call, String path, long version) {
        call.requireTime();
        return call.readLatest(path).thenCompose(answer -> {
            if (ZkCall.code(answer) == Code.NONODE) {
                return CompletableFuture.completedFuture(null);
            }
            if (answer.getStat().getMzxid() != version) {
                throw call.refusal(MetadataException.Code.VERSION_CONFLICT, "no longer has version " + version);
            }
            StreamMetadata head = present(call, answer);
            String above = paths.aboveSegments(head);
            return call.children(path)
                    .thenCompose(markers -> call.children(above).thenCompose(children -> {
                        if (ZkCall.code(markers) == Code.NONODE || ZkCall.code(children) == Code.NONODE) {
                            return delete(call, path, version);
                        }
                        Doomed doomed = new Doomed(
                                path,
                                head,
                                answer.getStat().getVersion(),
                                markers.getChildren(),
                                above.equals(path) ? List.of() : children.getChildren());
                        return segments.requireNone(call, above, children.getChildren())
                                .thenCompose(none -> segments.requireNoSubscriptions(call, above, doomed.atHome()))
                                .thenCompose(none -> remove(call, doomed))
                                .thenCompose(removed -> removed
                                        ? CompletableFuture.completedFuture(null)
                                        : delete(call, path, version));
                    }));
        });
    }

    /** A head that is to be removed, what stands below it, and what stands below its home. */
    private record Doomed(
            String path, StreamMetadata head, int nodeVersion, List<String> children, List<String> atHome) {}

    /**
     * Removes a head and its home with all that stands below them, its incarnation among it, and raises the origin of the next stream in its bucket above its numbers (S14);
     * false when something changed meanwhile.
     */
    private CompletableFuture<Boolean> remove(ZkCall call, Doomed doomed) {
        String bucketPath = ZkPaths.bucket(doomed.path());
        return call.read(bucketPath).thenCompose(bucket -> {
            if (ZkCall.code(bucket) == Code.NONODE) {
                return CompletableFuture.completedFuture(false);
            }
            ZkOps ops = new ZkOps(session.client());
            if (nextOrigin(call, bucket) < doomed.head().nextOrigin()) {
                byte[] value = StreamFormat.encodeBucket(doomed.head().nextOrigin(), session.newToken());
                ops.replace(bucketPath, value, bucket.getStat().getVersion());
            }
            doomed.children().forEach(child -> ops.delete(doomed.path() + '/' + child));
            ops.delete(doomed.path(), doomed.nodeVersion());
            if (!doomed.head().home().isBelowName()) {
                String home = paths.home(doomed.head().identity());
                doomed.atHome().forEach(child -> ops.delete(home + '/' + child));
                ops.delete(home);
            }
            return call.changeAll(ops.build()).thenApply(answer -> switch (ZkCall.code(answer)) {
                case OK -> true;
                case NONODE, BADVERSION, NOTEMPTY -> false;
                default -> throw call.unexpected(answer);
            });
        });
    }

    @Override
    public CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax) {
        ZkSegments.requireRoom(countMax);
        String path = paths.stream(name);
        return session.run(
                what(name),
                call -> call.latest(
                        path,
                        () -> call.read(path).thenCompose(answer -> {
                            StreamMetadata head = present(call, answer);
                            return segments.page(
                                    call, new Kept(head, paths.aboveSegments(head)), afterNumber, countMax);
                        })));
    }

    @Override
    public CompletableFuture<Page<String>> list(String prefix, String afterName, int countMax) {
        ZkSegments.requireRoom(countMax);
        return listing.list(prefix, afterName, countMax);
    }

    @Override
    public Watch watch(String name, Runnable listener) {
        StreamNames.check(name);
        return watches.add(paths.stream(name), AddWatchMode.PERSISTENT, listener);
    }
}
