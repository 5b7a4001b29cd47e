// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.append;
import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.LockStore;
import io.daybook.metadata.model.WriteToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** S-29: callbacks that wait for calls of their own client are refused and hold up nobody; those that shut it down do so. */
final class CallbackTest {
    private final SimulatedCluster cluster = new SimulatedCluster(3, 4);
    private final LedgerClient client = cluster.client("client");
    /** What happened to the waits in each callback: null where the wait ended. */
    private final Map<String, List<Throwable>> refusals = new TreeMap<>();

    private interface Wait {
        void run() throws Exception;
    }

    private void waitIn(String callback, Wait wait) {
        try {
            wait.run();
            refusals.computeIfAbsent(callback, each -> new ArrayList<>()).add(null);
        } catch (Exception refusal) {
            refusals.computeIfAbsent(callback, each -> new ArrayList<>()).add(refusal);
        }
    }

    /** Waits in the callback of {@code call} in all ways. */
    private <T> CompletableFuture<T> waitingAfter(String name, CompletableFuture<T> call) {
        return call.whenComplete((value, failure) -> {
            waitIn(name, () -> client.list(-1, 10).join());
            waitIn(name, () -> client.metadata(0).get());
            waitIn(name, () -> client.delete(77).get(1, TimeUnit.HOURS));
            waitIn(name, () -> client.list(-1, 10).thenApply(page -> page).join());
        });
    }

    private <T> T waitAfter(String name, CompletableFuture<T> call) {
        return cluster.await(waitingAfter(name, call));
    }

    private void assertRefused(String callback) {
        assertThat(refusals.get(callback))
                .as(callback)
                .isNotEmpty()
                .allSatisfy(refusal -> assertThat(refusal)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("internal thread"));
    }

    private void assertOthersGoOn() {
        LedgerWriter other = cluster.await(client.create(CreateOptions.DEFAULT));
        assertThat(cluster.await(other.append(payload(7)))).isZero();
    }

    @Test
    void callbackOfAnyCallMayNotWaitForItsClientAndHarmsNobody() {
        LedgerWriter writer = waitAfter("create", client.create(CreateOptions.DEFAULT));
        waitAfter("append", writer.append(payload(0)));
        waitAfter("force", writer.force());
        cluster.crashBookie(0);
        cluster.crashBookie(1);
        CompletableFuture<Long> held = waitingAfter("append while a member is replaced", writer.append(payload(1)));
        cluster.restartBookie(0);
        cluster.await(held);
        waitAfter("metadata", client.metadata(writer.ledgerId()));
        LedgerReader reader = waitAfter("open", client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        waitAfter("refresh", reader.refresh());
        waitAfter("read", reader.read(0, 1, 1_000)).close();
        CompletableFuture<LedgerEntries> tail = waitingAfter("tail read", reader.readTail(2, 1, 1_000, SECOND * 60));
        cluster.await(writer.append(payload(2)));
        cluster.await(tail).close();
        CompletableFuture<LedgerException> failure = waitingAfter("failure of the writer", writer.failure());
        waitAfter("recover", client.recover(writer.ledgerId(), OpenOptions.DEFAULT));
        assertThatThrownBy(() -> cluster.await(writer.append(payload(3))))
                .hasRootCauseInstanceOf(LedgerException.class);
        cluster.await(failure);
        waitAfter("verify", client.verify(writer.ledgerId(), OpenOptions.DEFAULT));
        waitAfter("fence", client.fence(writer.ledgerId()));
        waitAfter("delete", client.delete(writer.ledgerId()));

        List.of(
                        "create",
                        "append",
                        "force",
                        "append while a member is replaced",
                        "metadata",
                        "open",
                        "refresh",
                        "read",
                        "tail read",
                        "failure of the writer",
                        "recover",
                        "verify",
                        "fence",
                        "delete")
                .forEach(this::assertRefused);
        assertOthersGoOn();
    }

    @Test
    void callbackMayNotWaitForItsOwnHandleWhichGoesOn() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        AdvancedLedgerWriter advanced = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        LedgerReader reader = cluster.await(client.open(writer.ledgerId(), OpenOptions.DEFAULT));
        CompletableFuture<Long> first = writer.append(payload(0));

        cluster.await(first.thenRun(() -> {
            waitIn("append", () -> writer.append(payload(1)).join());
            waitIn("force", () -> writer.force().join());
            waitIn("append with id", () -> advanced.append(0, payload(0)).join());
            waitIn("force with id", () -> advanced.force().join());
            waitIn("close with id", () -> advanced.close().join());
            waitIn("refresh", () -> reader.refresh().join());
            waitIn("tail read", () -> reader.readTail(9, 1, 1_000, SECOND).join());
            waitIn("failure", () -> writer.failure().join());
            waitIn("close", () -> writer.close().join());
        }));

        refusals.keySet().forEach(this::assertRefused);
        assertThat(refusals).hasSize(9);
        assertThat(cluster.await(writer.close())).as("what was begun ends").isEqualTo(1);
        assertThat(cluster.await(advanced.close())).isZero();
        assertOthersGoOn();
    }

    @Test
    void listenerThatWaitsIsRefusedAndHarmsNeitherItsWriterNorOtherAppends() {
        List<Throwable> reported = new ArrayList<>();
        cluster.world.onFailure((loop, failure) -> reported.add(failure));
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        writer.append(payload(0), new AppendListener() {
            @Override
            public void appended(long entryId) {
                writer.append(payload(20)).join();
            }

            @Override
            public void failed(LedgerException failure) {
                throw new AssertionError(failure);
            }
        });
        List<CompletableFuture<Long>> others = append(writer, 10);

        assertThat(others.stream().map(cluster::await)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(cluster.await(writer.close())).isEqualTo(11);
        assertThat(reported).singleElement().isInstanceOf(IllegalStateException.class);
        assertOthersGoOn();
    }

    @Test
    void listenerThatThrowsWhenItsAppendFailsKeepsNoOtherFromItsFailure() {
        List<Throwable> reported = new ArrayList<>();
        cluster.world.onFailure((loop, failure) -> reported.add(failure));
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        writer.append(payload(0), new AppendListener() {
            @Override
            public void appended(long entryId) {
                throw new AssertionError("entry " + entryId);
            }

            @Override
            public void failed(LedgerException failure) {
                writer.close().join();
                throw new AssertionError("it had ended before", failure);
            }
        });
        List<CompletableFuture<Long>> others = append(writer, 10);
        client.shutdown();

        others.forEach(each -> assertThatThrownBy(() -> cluster.await(each)).hasCauseInstanceOf(LedgerException.class));
        cluster.world.runFor(SECOND);
        assertThat(reported).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void futureThatIsDoneMayBeAskedAnywhere() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        CompletableFuture<Long> first = writer.append(payload(0));

        CompletableFuture<Long> seen = writer.append(payload(1)).thenApply(second -> first.join());

        assertThat(cluster.<Long>await(seen)).isZero();
    }

    @Test
    void callbackMayShutItsClientDownButNotWaitForThat() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));

        CompletableFuture<Void> down = writer.append(payload(0)).thenCompose(first -> {
            waitIn("append", () -> client.shutdown().join());
            return client.shutdown();
        });

        cluster.await(down);
        assertRefused("append");
        assertThat(client.create(CreateOptions.DEFAULT)).isCompletedExceptionally();
    }

    @Test
    void whoLosesItsSessionMayCloseItsClientAtOnce() {
        LockStore.Attempt attempt = cluster.await(cluster.session("client")
                .locks()
                .tryAcquire("lock", new LockStore.Owner("client", 1, "", 0, new WriteToken(1, 1))));
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        CompletableFuture<Long> underWay = writer.append(payload(0));
        List<Boolean> closed = new ArrayList<>();
        ((LockStore.Attempt.Taken) attempt).hold().lost().thenRun(() -> {
            client.close();
            closed.add(true);
        });

        cluster.session("client").loseLocks();

        assertThat(closed).containsExactly(true);
        cluster.await(client.shutdown());
        assertThat(underWay).isCompletedExceptionally();
        LedgerWriter other = cluster.await(cluster.client("other").create(CreateOptions.DEFAULT));
        assertThat(cluster.<Long>await(other.append(payload(0)))).isZero();
    }
}
