// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk.session;

import io.daybook.metadata.MetadataException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.OperationType;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * One call of a store: the requests it is made of, and whether the outcome of one of its changes is unknown (M2).
 *
 * <p>A request whose answer is lost is sent again when the connection is back, until the call's time is over. For a change that is safe because every
 * change here is a creation, a compare-and-set or a deletion: the repetition finds out. When it is refused after an unknown outcome
 * ({@link #isUnknown}), the store reads the value and compares its token with the one it wrote.
 *
 * <p><i>Threading:</i> the steps of a call follow each other.
 */
public final class ZkCall {
    private static final long PAUSE_MILLIS = 50;
    private static final byte[] NO_VALUE = {};

    private final ZkSession session;
    private final String what;
    private final long deadlineNanos;
    private volatile boolean isUnknown;

    public ZkCall(ZkSession session, String what) {
        this.session = session;
        this.what = what;
        this.deadlineNanos = System.nanoTime() + session.timeouts().callMillis() * 1_000_000L;
    }

    /** A request to ZooKeeper that answers to {@code callback}. */
    public interface Request {
        void send(CuratorFramework client, BackgroundCallback callback) throws Exception;
    }

    /** The thing that the call is about. */
    public String what() {
        return what;
    }

    /** Whether the outcome of a change sent by this call was lost at some time. */
    public boolean isUnknown() {
        return isUnknown;
    }

    /** A value, or {@code NONODE}. Follows the own changes of the ZooKeeper session; what others changed may be missing. */
    public CompletableFuture<CuratorEvent> read(String path) {
        return send(
                (client, callback) -> client.getData().inBackground(callback).forPath(path), false);
    }

    /** A value, or {@code NONODE}, after everything that was acknowledged before this call (M3). */
    public CompletableFuture<CuratorEvent> readLatest(String path) {
        return latest(path, () -> read(path));
    }

    /**
     * What {@code reading} finds after everything that was acknowledged before this call (M3). The server that was let catch up and the one that is read must be
     * of one session: ZooKeeper's client goes to no server that is behind what the session saw, but the next session may begin at one that is. So when the session changed
     * meanwhile all is done again.
     */
    public <T> CompletableFuture<T> latest(String path, Supplier<CompletableFuture<T>> reading) {
        requireTime();
        OptionalLong before = session.id();
        CompletableFuture<T> found = sync(path).thenCompose(synced -> reading.get());
        return found.handle((value, failure) -> before.isPresent() && before.equals(session.id()))
                .thenCompose(isOneSession -> isOneSession ? found : latest(path, reading));
    }

    /** The children of a node, or {@code NONODE}. */
    public CompletableFuture<CuratorEvent> children(String path) {
        return send(
                (client, callback) ->
                        client.getChildren().inBackground(callback).forPath(path),
                false);
    }

    /** Lets the server catch up with everything that was acknowledged before; what is read next may be another server's, see {@link #latest}. */
    public CompletableFuture<CuratorEvent> sync(String path) {
        return send((client, callback) -> client.sync().inBackground(callback).forPath(path), false);
    }

    /** Creates a node: {@code OK}, {@code NODEEXISTS} or {@code NONODE} when its parent is missing. */
    public CompletableFuture<CuratorEvent> create(String path, byte[] value, CreateMode mode) {
        return send(
                (client, callback) ->
                        client.create().withMode(mode).inBackground(callback).forPath(path, value),
                true);
    }

    /** Replaces a value: {@code OK}, {@code BADVERSION} or {@code NONODE}. */
    public CompletableFuture<CuratorEvent> replace(String path, byte[] value, int version) {
        return send(
                (client, callback) -> client.setData()
                        .withVersion(version)
                        .inBackground(callback)
                        .forPath(path, value),
                true);
    }

    /** Deletes a node: {@code OK}, {@code BADVERSION}, {@code NOTEMPTY} or {@code NONODE}. */
    public CompletableFuture<CuratorEvent> delete(String path, int version) {
        return send(
                (client, callback) -> client.delete()
                        .withVersion(version)
                        .inBackground(callback)
                        .forPath(path),
                true);
    }

    /** Makes all changes or none; the answer is {@code OK} or that of the first change that failed. */
    public CompletableFuture<CuratorEvent> changeAll(List<CuratorOp> changes) {
        boolean isChange =
                changes.stream().anyMatch(change -> change.getTypeAndPath().getType() != OperationType.CHECK);
        return send(
                (client, callback) ->
                        client.transaction().inBackground(callback).forOperations(changes),
                isChange);
    }

    /** Makes sure that a node without value is there, and those above it. */
    public CompletableFuture<CuratorEvent> ensure(String path) {
        return ensure(path, NO_VALUE);
    }

    /** Makes sure that a node is there, with {@code value} if it is new, and those above it. */
    public CompletableFuture<CuratorEvent> ensure(String path, byte[] value) {
        Request creation = (client, callback) -> client.create()
                .withMode(CreateMode.PERSISTENT)
                .inBackground(callback)
                .forPath(path, value);
        // Whether this or another creation made it there does not matter, so no outcome is unknown.
        return send(creation, false).thenCompose(answer -> {
            int slash = path.lastIndexOf('/');
            if (code(answer) != Code.NONODE || slash <= 0) {
                return CompletableFuture.completedFuture(answer);
            }
            return ensure(path.substring(0, slash)).thenCompose(above -> ensure(path, value));
        });
    }

    /** Makes sure that a node without value is below {@code parent}, unless that is missing. */
    public CompletableFuture<CuratorEvent> createBelow(String parent, String child) {
        Request creation = (client, callback) -> client.create()
                .withMode(CreateMode.PERSISTENT)
                .inBackground(callback)
                .forPath(parent + '/' + child, NO_VALUE);
        return send(creation, false);
    }

    /** The code of an answer. */
    public static Code code(CuratorEvent answer) {
        Code code = Code.get(answer.getResultCode());
        return code == null ? Code.SYSTEMERROR : code;
    }

    private CompletableFuture<CuratorEvent> send(Request request, boolean isChange) {
        CompletableFuture<CuratorEvent> answered = new CompletableFuture<>();
        attempt(request, isChange, answered);
        return answered;
    }

    private void attempt(Request request, boolean isChange, CompletableFuture<CuratorEvent> answered) {
        if (!session.client().getZookeeperClient().isConnected()) {
            again(request, isChange, answered);
            return;
        }
        try {
            request.send(session.client(), (client, answer) -> onAnswer(request, isChange, answered, answer));
        } catch (Exception refused) {
            // Curator declares Exception; what it throws here was not sent.
            answered.completeExceptionally(refused);
        }
    }

    private void onAnswer(
            Request request, boolean isChange, CompletableFuture<CuratorEvent> answered, CuratorEvent answer) {
        switch (code(answer)) {
            case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONEXPIRED, SESSIONMOVED, REQUESTTIMEOUT -> {
                isUnknown |= isChange;
                again(request, isChange, answered);
            }
            case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH, INVALIDACL ->
                answered.completeExceptionally(new MetadataException(
                        MetadataException.Code.DENIED,
                        what + ": ZooKeeper at " + session.address() + " refuses for lack of rights (" + code(answer)
                                + ")"));
            default -> answered.complete(answer);
        }
    }

    private void again(Request request, boolean isChange, CompletableFuture<CuratorEvent> answered) {
        if (System.nanoTime() - deadlineNanos < 0) {
            session.schedule(() -> attempt(request, isChange, answered), PAUSE_MILLIS);
        } else {
            answered.completeExceptionally(late());
        }
    }

    /** What to fail with when the time of the call is over. */
    public MetadataException late() {
        return isUnknown
                ? new MetadataException(
                        MetadataException.Code.OUTCOME_UNKNOWN,
                        what + " may or may not have been changed: ZooKeeper at " + session.address()
                                + " stopped answering")
                : new MetadataException(
                        MetadataException.Code.UNAVAILABLE,
                        what + ": ZooKeeper at " + session.address() + " does not answer");
    }

    /** Fails when the time of the call is over; called by steps that begin again. */
    public void requireTime() {
        if (System.nanoTime() - deadlineNanos >= 0) {
            throw late();
        }
    }

    /** A refusal that names the thing. */
    public MetadataException refusal(MetadataException.Code code, String why) {
        return new MetadataException(code, what + " " + why);
    }

    /** What to fail with at an answer that no step expects. */
    public MetadataException unexpected(CuratorEvent answer) {
        return new MetadataException(
                isUnknown ? MetadataException.Code.OUTCOME_UNKNOWN : MetadataException.Code.UNAVAILABLE,
                what + ": ZooKeeper at " + session.address() + " answers " + code(answer));
    }
}
