// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DamageListener;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerReport;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.KeyCheck;
import io.daybook.ledger.handle.MetadataFailures;
import io.daybook.ledger.handle.Outcomes;
import io.daybook.ledger.read.LedgerVerification;
import io.daybook.ledger.read.QuorumReader;
import io.daybook.ledger.recovery.LedgerFencing;
import io.daybook.ledger.recovery.LedgerRecovery;
import io.daybook.ledger.write.WriterHandle;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Failures;
import io.daybook.runtime.Host;
import io.daybook.runtime.waiting.InternalLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Ledgers of a Daybook cluster: hands each call to one of the client's loops.
 *
 * <p><i>Threading:</i> any thread.
 */
public final class DaybookLedgerClient implements LedgerClient {
    private final MetadataStores stores;
    private final List<ClientLoop> loops = new ArrayList<>();
    private final InternalLoops internal = new InternalLoops();
    private volatile int nextLoop;

    private DaybookLedgerClient(LedgerClientConfig config, Host host, MetadataStores stores, ClusterId clusterId) {
        this.stores = stores;
        ClientLoop.Ground ground = new ClientLoop.Ground(config, host, stores, clusterId, internal);
        for (int i = 0; i < config.loops(); i++) {
            loops.add(new ClientLoop(ground, i));
        }
    }

    /** Makes a client of the cluster. Nothing is contacted before it is needed; the stores stay the caller's. */
    public static LedgerClient open(LedgerClientConfig config, Host host, MetadataStores stores, ClusterId clusterId) {
        return new DaybookLedgerClient(config, host, stores, clusterId);
    }

    @Override
    public CompletableFuture<LedgerWriter> create(CreateOptions options) {
        return create(options, handle -> handle);
    }

    @Override
    public CompletableFuture<AdvancedLedgerWriter> createAdvanced(CreateOptions options) {
        return create(options, WriterHandle::advanced);
    }

    private <T> CompletableFuture<T> create(CreateOptions options, Function<WriterHandle, T> form) {
        if (EntryForm.lacksKey(options.digest(), options.digestKey())) {
            throw new IllegalArgumentException("a ledger with digest " + options.digest() + " needs a digest key");
        }
        ClientLoop home = home(options.loop());
        LedgerCreation.Order<T> order = new LedgerCreation.Order<>(stores.ledgerIds(), options, form);
        return home.run(call -> LedgerCreation.start(home, order, call));
    }

    @Override
    public CompletableFuture<LedgerReader> open(long ledgerId, OpenOptions options) {
        requireId(ledgerId);
        ClientLoop home = home(options.loop());
        // A registry that cannot be read now does not hinder: metadata alone says much.
        return home.run(call -> home.context()
                .bookies()
                .whenLoaded(ignored -> home.context()
                        .resume(
                                () -> stores.ledgers().readLatest(ledgerId),
                                read -> openReader(home, read, options.digestKey(), call),
                                failure -> call.fail(MetadataFailures.translate(ledgerId, failure, Outcome.FAILED)))));
    }

    @Override
    public CompletableFuture<LedgerReader> recover(long ledgerId, OpenOptions options) {
        requireId(ledgerId);
        ClientLoop home = home(options.loop());
        return home.run(call -> {
            LedgerRecovery recovery = LedgerRecovery.start(home.context(), ledgerId, options.digestKey());
            home.keep(recovery.outcome(), recovery::abandon);
            home.loop().resume(recovery.outcome(), (closed, failure) -> {
                if (closed != null) {
                    openReader(home, closed, options.digestKey(), call);
                } else {
                    call.fail(ledgerFailure(ledgerId, Objects.requireNonNull(failure)));
                }
            });
        });
    }

    @Override
    public CompletableFuture<Void> fence(long ledgerId) {
        requireId(ledgerId);
        ClientLoop home = home(Optional.empty());
        return home.run(call -> {
            LedgerFencing fencing = LedgerFencing.start(home.context(), ledgerId);
            home.keep(fencing.outcome(), fencing::abandon);
            home.loop().resume(fencing.outcome(), (isDone, failure) -> {
                if (failure == null) {
                    call.succeed(null);
                } else {
                    call.fail(ledgerFailure(ledgerId, failure));
                }
            });
        });
    }

    @Override
    public CompletableFuture<LedgerReport> verify(long ledgerId, OpenOptions options) {
        ClientLoop home = home(options.loop());
        CompletableFuture<LedgerReport> report = internal.future();
        open(ledgerId, options.on(home.loop()))
                .thenApply(QuorumReader.class::cast)
                .thenCompose(reader -> {
                    report.whenComplete((value, ignored) -> reader.close());
                    // Else what too few bookies know of an open ledger could pass for all of it.
                    return reader.askBookies()
                            .thenAccept(confirmed -> LedgerVerification.start(home.context(), reader, report));
                })
                .whenComplete((started, failure) -> {
                    if (failure != null) {
                        report.completeExceptionally(
                                ledgerFailure(ledgerId, Objects.requireNonNull(Failures.rootOf(failure))));
                    }
                });
        return report;
    }

    @Override
    public CompletableFuture<Void> delete(long ledgerId) {
        requireId(ledgerId);
        ClientLoop home = home(Optional.empty());
        return home.run(call -> home.context()
                .resume(
                        () -> stores.ledgers().delete(ledgerId).thenApply(nothing -> true),
                        done -> call.succeed(null),
                        failure -> {
                            if (MetadataFailures.codeOf(failure) == MetadataException.Code.NOT_FOUND) {
                                call.succeed(null);
                            } else {
                                call.fail(MetadataFailures.translate(ledgerId, failure, Outcome.UNKNOWN));
                            }
                        }));
    }

    @Override
    public CompletableFuture<Versioned<LedgerMetadata>> metadata(long ledgerId) {
        requireId(ledgerId);
        return ask(ledgerId, () -> stores.ledgers().readLatest(ledgerId));
    }

    @Override
    public CompletableFuture<Page<Long>> list(long afterLedgerId, int countMax) {
        if (afterLedgerId < -1 || countMax < 1) {
            throw new IllegalArgumentException("a page of " + countMax + " ledgers after " + afterLedgerId
                    + ": ask for at least 1, after -1 or an id");
        }
        return ask(-1, () -> stores.ledgers().list(afterLedgerId, countMax));
    }

    @Override
    public void onDamage(DamageListener listener) {
        loops.forEach(each -> each.context().run(() -> each.context().damage().addListener(listener)));
    }

    @Override
    public long heldBytes() {
        return loops.stream()
                .map(each -> each.context().links().held())
                .mapToLong(held -> held.bytes() + held.linkBytes())
                .sum();
    }

    @Override
    public EventLoop assignLoop() {
        return home(Optional.empty()).loop();
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        CompletableFuture<?>[] ended = loops.stream().map(ClientLoop::shutdown).toArray(CompletableFuture<?>[]::new);
        return Outcomes.view(CompletableFuture.allOf(ended), internal);
    }

    private <T> CompletableFuture<T> ask(long ledgerId, Supplier<CompletionStage<T>> question) {
        ClientLoop home = home(Optional.empty());
        return home.run(call -> home.context()
                .resume(
                        question,
                        answer -> call.succeed(answer),
                        failure -> call.fail(MetadataFailures.translate(ledgerId, failure, Outcome.FAILED))));
    }

    private static void openReader(
            ClientLoop home, Versioned<LedgerMetadata> read, DigestKey key, PendingCall<LedgerReader> call) {
        if (call.isEnded()) {
            return;
        }
        LedgerMetadata metadata = read.value();
        Optional<LedgerException> refusal = KeyCheck.refusal(metadata, key);
        if (refusal.isPresent()) {
            call.fail(refusal.get());
            return;
        }
        QuorumReader reader =
                new QuorumReader(home.context(), read, new EntryForm(metadata.ledgerId(), metadata.digest(), key));
        home.keep(reader.ended(), reader::close);
        reader.askBookies().whenComplete((confirmed, failure) -> {
            // Without an answer of the bookies the reader still knows what metadata proves, and learns more as it
            // reads.
            if (!call.succeed(reader)) {
                reader.close();
            }
        });
    }

    private static void requireId(long ledgerId) {
        if (ledgerId < 0) {
            throw new IllegalArgumentException("a ledger id is 0 or more, not " + ledgerId);
        }
    }

    private static LedgerException ledgerFailure(long ledgerId, Throwable failure) {
        return failure instanceof LedgerException known
                ? known
                : MetadataFailures.translate(ledgerId, failure, Outcome.FAILED);
    }

    private ClientLoop home(Optional<EventLoop> wanted) {
        if (wanted.isEmpty()) {
            int number = nextLoop;
            nextLoop = (number + 1) % loops.size();
            return loops.get(number);
        }
        return loops.stream()
                .filter(each -> each.loop().equals(wanted.get()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "loop " + wanted.get().name() + " is not one that this client assigned"));
    }
}
