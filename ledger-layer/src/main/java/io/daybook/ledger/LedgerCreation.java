// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerException.Outcome;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.handle.HandleContext;
import io.daybook.ledger.handle.KeyCheck;
import io.daybook.ledger.handle.MetadataFailures;
import io.daybook.ledger.placement.Choice;
import io.daybook.ledger.placement.Seats;
import io.daybook.ledger.write.WriterHandle;
import io.daybook.metadata.LedgerIdAllocator;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Versioned;
import io.daybook.protocol.Limits;
import java.util.List;
import java.util.function.Function;

/**
 * Makes one ledger: chooses its first ensemble, takes an id, stores the metadata.
 *
 * <p><i>Threading:</i> confined to its loop.
 */
final class LedgerCreation<T> {
    private static final int ATTEMPTS_MAX = 3;
    private static final long BOOKIES_RETRY_NANOS = 100_000_000L;

    private final ClientLoop home;
    private final HandleContext context;
    private final LedgerIdAllocator ids;
    private final CreateOptions options;
    private final Function<WriterHandle, T> form;
    private final PendingCall<T> call;
    private int attempts;
    private boolean isRefreshed;

    /** What is made: {@code form} makes the handle of the caller. */
    record Order<T>(LedgerIdAllocator ids, CreateOptions options, Function<WriterHandle, T> form) {}

    private LedgerCreation(ClientLoop home, Order<T> order, PendingCall<T> call) {
        this.home = home;
        this.context = home.context();
        this.ids = order.ids;
        this.options = order.options;
        this.form = order.form;
        this.call = call;
    }

    /** Begins, on the loop. */
    static <T> void start(ClientLoop home, Order<T> order, PendingCall<T> call) {
        LedgerCreation<T> creation = new LedgerCreation<>(home, order, call);
        home.context().bookies().whenLoaded(failure -> {
            if (failure.isPresent()) {
                call.fail(MetadataFailures.translate(-1, failure.get(), Outcome.FAILED));
            } else {
                call.attempt(creation::takeId);
            }
        });
    }

    private void takeId() {
        attempts++;
        if (options.ledgerId().isPresent()) {
            store(options.ledgerId().getAsLong());
            return;
        }
        context.resume(
                ids::next, this::store, failure -> call.fail(MetadataFailures.translate(-1, failure, Outcome.FAILED)));
    }

    private void store(long ledgerId) {
        Choice choice = context.choose(Seats.allOpen(options.quorums()), List.of());
        if (!choice.isComplete()) {
            onTooFew(ledgerId, choice.shortage());
            return;
        }
        LedgerMetadata metadata = new LedgerMetadata(
                ledgerId,
                options.quorums(),
                options.digest(),
                LedgerState.OPEN,
                Limits.NO_ENTRY_ID,
                0,
                List.of(new Fragment(0, choice.ensemble())),
                KeyCheck.pairs(ledgerId, options),
                context.loop().wallMillis(),
                context.freshToken());
        context.resume(
                () -> context.ledgers().create(metadata), this::onStored, failure -> onFailed(ledgerId, failure));
    }

    /** A bookie may have come up a moment ago: the registry is read once more before this is told. */
    private void onTooFew(long ledgerId, String shortage) {
        if (!isRefreshed) {
            isRefreshed = true;
            context.bookies().refresh();
            context.loop().schedule(BOOKIES_RETRY_NANOS, () -> call.attempt(() -> store(ledgerId)));
            return;
        }
        call.fail(new LedgerException.NotEnoughBookies("a ledger cannot be made: " + shortage, Outcome.FAILED));
    }

    private void onFailed(long ledgerId, Throwable failure) {
        boolean isWanted = options.ledgerId().isPresent();
        if (isWanted && MetadataFailures.codeOf(failure) == Code.ALREADY_EXISTS) {
            call.fail(new LedgerException.LedgerExists(
                    "the id " + ledgerId + " is or was that of another ledger; choose another one"));
        } else if (MetadataFailures.codeOf(failure) == Code.ALREADY_EXISTS && attempts < ATTEMPTS_MAX) {
            takeId();
        } else {
            call.fail(MetadataFailures.translate(ledgerId, failure, Outcome.UNKNOWN));
        }
    }

    private void onStored(Versioned<LedgerMetadata> stored) {
        if (call.isEnded()) {
            return;
        }
        long ledgerId = stored.value().ledgerId();
        EntryForm entries = new EntryForm(ledgerId, options.digest(), options.digestKey());
        WriterHandle writer = new WriterHandle(context, stored, entries, options);
        home.keep(writer.ended(), writer::abandon);
        if (!call.succeed(form.apply(writer))) {
            writer.abandon();
        }
    }
}
