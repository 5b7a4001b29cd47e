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
import io.daybook.namespace.zk.session.ZkCall;
import io.daybook.namespace.zk.session.ZkOps;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkWatches;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Streams in ZooKeeper: a node for the head, with a node for each segment in buckets below it, changed together.
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
        return "stream " + StreamNames.quoted(name) + " at " + session.address();
    }

    @Override
    public CompletableFuture<Versioned<StreamMetadata>> create(StreamMetadata head) {
        StreamFormat.encode(head);
        return session.run(what(head.name()), call -> create(call, head, OptionalInt.empty()));
    }

    /**
     * The bucket is checked with the creation: no stream of the name has come and gone since its value was read.
     *
     * @param changesBefore of the children of the bucket when it was read for the first time
     */
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
            return call.changeAll(changes.build()).thenCompose(answer -> switch (ZkCall.code(answer)) {
                case OK -> created(call, head);
                case NODEEXISTS -> exists(call, head, before);
                case BADVERSION ->
                    call.sync(bucketPath).thenCompose(synced -> create(call, asked, OptionalInt.of(before)));
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
     * Whose the stream is that refused a creation, which may be that of an earlier try (M2). That one may also have been made, and deleted before anybody knew of it: two changes of
     * the bucket, and another for the stream that stands there now. Fewer tell for certain that it never was there.
     */
    private CompletableFuture<Versioned<StreamMetadata>> exists(ZkCall call, StreamMetadata head, int changesBefore) {
        if (!call.isUnknown()) {
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
            return call.readLatest(ZkPaths.bucket(path)).thenApply(bucket -> {
                int changes = bucket.getStat().getCversion() - changesBefore;
                throw changes < (isThere ? 3 : 2) ? existed(call) : unknown(call);
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
        StreamNames.check(name);
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
        private Optional<Integer> replacedVersion = Optional.empty();

        Commit(StreamChange change) {
            this.change = change;
            this.value = StreamFormat.encode(change.head());
            this.path = paths.stream(change.head().name());
            change.puts().forEach(StreamFormat::encodeSegment);
        }

        CompletableFuture<Versioned<StreamMetadata>> run(ZkCall call) {
            call.requireTime();
            return call.readLatest(path).thenCompose(answer -> {
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
                return segments.present(call, path, numbers()).thenCompose(numbers -> change(call, version, numbers));
            });
        }

        private List<Long> numbers() {
            return Stream.concat(change.puts().stream().map(SegmentMetadata::number), change.removals().stream())
                    .toList();
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
            for (SegmentMetadata segment : change.puts()) {
                String segmentPath = ZkPaths.segment(path, segment.number());
                byte[] segmentValue = StreamFormat.encodeSegment(segment);
                if (present.contains(segment.number())) {
                    ops.replace(segmentPath, segmentValue);
                } else {
                    ops.create(segmentPath, segmentValue);
                }
            }
            change.removals().stream()
                    .filter(present::contains)
                    .forEach(number -> ops.delete(ZkPaths.segment(path, number)));
            return call.changeAll(ops.build()).thenCompose(answer -> onChange(call, answer));
        }

        private CompletableFuture<Versioned<StreamMetadata>> onChange(ZkCall call, CuratorEvent answer) {
            return switch (ZkCall.code(answer)) {
                case OK ->
                    CompletableFuture.completedFuture(new Versioned<>(
                            change.head(),
                            answer.getOpResults().get(0).getResultStat().getMzxid()));
                case NONODE -> segments.ensureBuckets(call, path, change.puts()).thenCompose(made -> run(call));
                case BADVERSION, NODEEXISTS -> run(call);
                default -> CompletableFuture.failedFuture(call.unexpected(answer));
            };
        }
    }

    @Override
    public CompletableFuture<Void> delete(String name, long version) {
        StreamNames.check(name);
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
            Doomed doomed =
                    new Doomed(path, present(call, answer), answer.getStat().getVersion());
            return call.children(path)
                    .thenCompose(children -> ZkCall.code(children) == Code.NONODE
                            ? delete(call, path, version)
                            : segments.requireNone(call, path, children.getChildren())
                                    .thenCompose(none -> remove(call, doomed, children.getChildren()))
                                    .thenCompose(removed -> removed
                                            ? CompletableFuture.completedFuture(null)
                                            : delete(call, path, version)));
        });
    }

    /** A head that is to be removed. */
    private record Doomed(String path, StreamMetadata head, int nodeVersion) {}

    /**
     * Removes a head with all that stands below it, its incarnation among them, and raises the origin of the next stream in its bucket above its numbers (S14); false when
     * something changed meanwhile.
     */
    private CompletableFuture<Boolean> remove(ZkCall call, Doomed doomed, List<String> children) {
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
            children.forEach(child -> ops.delete(doomed.path() + '/' + child));
            ops.delete(doomed.path(), doomed.nodeVersion());
            return call.changeAll(ops.build()).thenApply(answer -> switch (ZkCall.code(answer)) {
                case OK -> true;
                case NONODE, BADVERSION, NOTEMPTY -> false;
                default -> throw call.unexpected(answer);
            });
        });
    }

    @Override
    public CompletableFuture<Page<SegmentMetadata>> segments(String name, long afterNumber, int countMax) {
        StreamNames.check(name);
        requireRoom(countMax);
        String path = paths.stream(name);
        return session.run(what(name), call -> segments.page(call, path, afterNumber, countMax));
    }

    @Override
    public CompletableFuture<Page<String>> list(String prefix, String afterName, int countMax) {
        requireRoom(countMax);
        return listing.list(prefix, afterName, countMax);
    }

    private static void requireRoom(int countMax) {
        if (countMax < 1) {
            throw new IllegalArgumentException("a page has room for " + countMax + " items: ask for at least 1");
        }
    }

    @Override
    public Watch watch(String name, Runnable listener) {
        StreamNames.check(name);
        return watches.add(paths.stream(name), AddWatchMode.PERSISTENT, listener);
    }
}
