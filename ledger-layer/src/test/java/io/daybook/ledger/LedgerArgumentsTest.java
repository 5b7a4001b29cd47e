// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static io.daybook.ledger.LedgerClusterTest.payload;
import static io.daybook.ledger.SimulatedCluster.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.BookieRegistry;
import io.daybook.metadata.LedgerMetadataStore;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.Page;
import io.daybook.metadata.Watch;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.BookieId;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What cannot be done is refused at once, in the thread of the caller; what goes wrong later, whatever it is, ends the call (V7). */
final class LedgerArgumentsTest {
    private static final int PAIRS_BYTES_MAX = CreateOptions.CUSTOM_BYTES_MAX;

    private final SimulatedCluster cluster = new SimulatedCluster(5, 3);
    private final LedgerClient client = cluster.client("writer");

    private static void assertRefused(ThrowingCallable... calls) {
        assertThat(Arrays.asList(calls))
                .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void impossibleNumbersAreRefusedInTheThreadOfTheCaller() {
        assertRefused(
                () -> client.list(-1, 0),
                () -> client.list(-2, 1),
                () -> client.open(-1, OpenOptions.DEFAULT),
                () -> client.recover(-1, OpenOptions.DEFAULT),
                () -> client.verify(-1, OpenOptions.DEFAULT),
                () -> client.fence(-1),
                () -> client.delete(-1),
                () -> client.metadata(-1));
    }

    @Test
    void theTextPairsOfALedgerAreBoundedAndWhole() { // S-30
        CreateOptions most = CreateOptions.DEFAULT.withCustom(Map.of("é", "x".repeat(PAIRS_BYTES_MAX - 2)));
        LedgerWriter writer = cluster.await(client.create(most));
        assertThat(cluster.await(client.metadata(writer.ledgerId())).value().custom())
                .isEqualTo(most.custom());

        assertRefused(
                () -> most.withCustom(Map.of("é", "x".repeat(PAIRS_BYTES_MAX - 1))),
                () -> most.withCustom(Collections.singletonMap("key", null)),
                () -> most.withCustom(Collections.singletonMap(null, "value")));
    }

    @Test
    void theTextPairsAreThoseOfTheMomentInWhichTheyWereGiven() {
        Map<String, String> pairs = new TreeMap<>(Map.of("owner", "billing"));
        CreateOptions options = CreateOptions.DEFAULT.withCustom(pairs);
        pairs.clear();

        assertThat(options.custom()).containsExactly(Map.entry("owner", "billing"));
    }

    @Test
    void aBufferThatWasReleasedIsRefusedAndHarmsNoWriter() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        AdvancedLedgerWriter advanced = cluster.await(client.createAdvanced(CreateOptions.DEFAULT));
        ByteBuf released = payload(0);
        released.release();

        assertRefused(() -> writer.append(released), () -> advanced.append(0, released));
        assertThat(cluster.await(writer.append(payload(0)))).isZero();
        assertThat(cluster.await(advanced.append(0, payload(0)))).isZero();
    }

    @Test
    void aDeletionAfterTheShutdownDeletesNothing() {
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.close());
        cluster.await(client.shutdown());

        CompletableFuture<Void> deletion = client.delete(writer.ledgerId());
        cluster.world.runFor(SECOND);

        assertThatThrownBy(deletion::join).hasCauseInstanceOf(LedgerException.HandleClosed.class);
        LedgerClient other = cluster.client("other");
        assertThat(cluster.await(other.list(-1, 10)).items()).containsExactly(writer.ledgerId());
    }

    @Test
    void everyCallEndsAlsoWhenTheStoreThrows() { // V7
        LedgerClient broken = broken(() -> {
            throw new IllegalStateException("a bug of the store");
        });

        assertEndsWithABug(callsOf(broken));
    }

    @Test
    void everyCallEndsAlsoWhenTheStoreAnswersWithNothing() { // V7
        LedgerClient broken = broken(() -> null);

        assertEndsWithABug(callsOf(broken));
    }

    @Test
    void everyCallEndsAlsoWhenWhatFollowsTheAnswerThrows() { // V7
        LedgerClient broken = broken(LedgerArgumentsTest::useless);
        Map<String, Supplier<CompletableFuture<?>>> calls = callsOf(broken);
        calls.keySet().removeAll(List.of("metadata", "delete", "list")); // nothing follows

        assertEndsWithABug(calls);
    }

    @Test
    void everyCallEndsAlsoWhenTheStoreThrowsAtTheSecondAttempt() { // V7
        AtomicInteger asked = new AtomicInteger();
        LedgerClient broken = broken(() -> {
            if (asked.incrementAndGet() % 2 == 0) {
                throw new IllegalStateException("a bug of the store");
            }
            throw new MetadataException(MetadataException.Code.UNAVAILABLE, "later");
        });
        Map<String, Supplier<CompletableFuture<?>>> calls = callsOf(broken);
        calls.keySet().retainAll(List.of("recover", "fence")); // these try again

        assertEndsWithABug(calls);
    }

    @Test
    void everyCallThatNeedsTheLiveBookiesEndsAlsoWhenTheirRegistryThrows() { // V7
        cluster.world.onFailure((loop, failure) -> {}); // as a program that logs them
        LedgerClient broken = cluster.clientWith("broken", new BrokenRegistry());
        Map<String, Supplier<CompletableFuture<?>>> calls = callsOf(broken);
        calls.keySet().retainAll(List.of("create", "create with an id", "create advanced"));

        assertEndsWithABug(calls);
        cluster.await(broken.list(-1, 1));
    }

    @Test
    void aRegistryThatTellsNothingHasFailedAndDoesNotCountAsNoBookies() { // V7
        cluster.world.onFailure((loop, failure) -> {}); // as a program that logs them
        BookieRegistry registry = cluster.session("nothing").bookies();
        LedgerClient broken = cluster.clientWith("nothing", new RegistryOfNothing(registry));
        Map<String, Supplier<CompletableFuture<?>>> calls = callsOf(broken);
        calls.keySet().retainAll(List.of("create", "create with an id", "create advanced"));

        assertEndsWithABug(calls);
    }

    @Test
    void aRegistryThatDoesNotAnswerHoldsUpNoCallLongerThanOtherMetadata() { // V7
        LedgerWriter writer = cluster.await(client.create(CreateOptions.DEFAULT));
        cluster.await(writer.append(payload(0)));
        cluster.await(writer.close());
        LedgerClient late = cluster.lateClient("late", 40 * SECOND);

        CompletableFuture<LedgerWriter> created = late.create(CreateOptions.DEFAULT);
        CompletableFuture<LedgerReader> opened = late.open(writer.ledgerId(), OpenOptions.DEFAULT);
        CompletableFuture<LedgerReader> recovered = late.recover(writer.ledgerId(), OpenOptions.DEFAULT);
        CompletableFuture<Void> fenced = late.fence(writer.ledgerId());
        cluster.world.runFor(8 * SECOND); // the add time-out of 5 s, and what follows

        assertThat(created).isCompletedExceptionally();
        assertThatThrownBy(created::join).hasCauseInstanceOf(LedgerException.MetadataFailed.class);
        assertThat(List.of(opened, recovered, fenced))
                .allMatch(call -> call.isDone() && !call.isCompletedExceptionally());
        cluster.world.runFor(60 * SECOND); // An answer that comes late is an answer.
        cluster.await(late.create(CreateOptions.DEFAULT));
    }

    @NullUnmarked // That is the bug.
    private static Versioned<LedgerMetadata> useless() {
        return new Versioned<>(null, 1);
    }

    private LedgerClient broken(Supplier<@Nullable Versioned<LedgerMetadata>> answer) {
        cluster.world.onFailure((loop, failure) -> {}); // as a program that logs them
        return cluster.client("broken", SimulatedCluster.settings(), new BrokenStore(answer));
    }

    private static Map<String, Supplier<CompletableFuture<?>>> callsOf(LedgerClient broken) {
        Map<String, Supplier<CompletableFuture<?>>> calls = new TreeMap<>();
        calls.put("recover", () -> broken.recover(1, OpenOptions.DEFAULT));
        calls.put("open", () -> broken.open(1, OpenOptions.DEFAULT));
        calls.put("verify", () -> broken.verify(1, OpenOptions.DEFAULT));
        calls.put("fence", () -> broken.fence(1));
        calls.put("delete", () -> broken.delete(1));
        calls.put("metadata", () -> broken.metadata(1));
        calls.put("list", () -> broken.list(-1, 1));
        calls.put("create", () -> broken.create(CreateOptions.DEFAULT));
        calls.put("create with an id", () -> broken.create(CreateOptions.DEFAULT.withLedgerId(9)));
        calls.put("create advanced", () -> broken.createAdvanced(CreateOptions.DEFAULT));
        return calls;
    }

    private void assertEndsWithABug(Map<String, Supplier<CompletableFuture<?>>> calls) {
        calls.forEach((name, call) -> assertThatThrownBy(() -> cluster.await(call.get()))
                .as(name)
                .hasCauseInstanceOf(LedgerException.Bug.class));
    }

    /** A registry with a bug. */
    private static final class BrokenRegistry implements BookieRegistry {
        private static IllegalStateException bug() {
            return new IllegalStateException("a bug of the registry");
        }

        @Override
        public CompletableFuture<List<BookieRegistration>> live() {
            throw bug();
        }

        @Override
        public Watch watchLive(Runnable listener) {
            throw bug();
        }

        @Override
        public CompletableFuture<Void> addCookie(BookieCookie cookie) {
            throw bug();
        }

        @Override
        public CompletableFuture<BookieCookie> cookie(BookieId bookieId) {
            throw bug();
        }

        @Override
        public CompletableFuture<List<BookieCookie>> cookies() {
            throw bug();
        }

        @Override
        public CompletableFuture<Registration> register(BookieRegistration registration, Tokens tokens) {
            throw bug();
        }
    }

    /** A store with a bug: it throws where it should fail, or answers what no store answers. */
    @NullUnmarked
    private record BrokenStore(Supplier<@Nullable Versioned<LedgerMetadata>> answer) implements LedgerMetadataStore {
        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> create(LedgerMetadata metadata) {
            return answered();
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> read(long ledgerId) {
            return answered();
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> readLatest(long ledgerId) {
            return answered();
        }

        @Override
        public CompletableFuture<Versioned<LedgerMetadata>> replace(LedgerMetadata metadata, long version) {
            return answered();
        }

        private CompletableFuture<Versioned<LedgerMetadata>> answered() {
            return CompletableFuture.completedFuture(answer.get());
        }

        @Override
        public CompletableFuture<Void> delete(long ledgerId) {
            return answer.get() == null ? null : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
            return answered().thenApply(ignored -> null);
        }

        @Override
        public Watch watch(long ledgerId, Runnable listener) {
            return () -> {};
        }
    }

    /** A registry whose answer to which bookies live is null. */
    private record RegistryOfNothing(BookieRegistry registry) implements ForwardingRegistry {
        @Override
        @NullUnmarked // That is the bug.
        public CompletableFuture<List<BookieRegistration>> live() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
