// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.LockStore.Attempt;
import io.daybook.metadata.LockStore.Hold;
import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.LockFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every {@code LockStore} promises. */
public abstract class LockStoreContract extends StoreContract {
    private static final String NAME = "writer of a/b \u00e4";

    private static Owner owner(int number) {
        return new Owner("host-" + number, 100 + number, "label \u00e4", 5_000 + number, Samples.token(number));
    }

    private static Hold taken(CompletableFuture<Attempt> attempt) {
        Attempt outcome = get(attempt);
        if (outcome instanceof Attempt.Taken taken) {
            return taken.hold();
        }
        throw new AssertionError("not taken: " + outcome);
    }

    @Test
    protected void lockIsHeldByOneUntilItIsGivenBack() {
        // D-67, D-106
        // D-58
        Hold hold = taken(mine.locks().tryAcquire(NAME, owner(1)));

        assertThat(get(others.locks().tryAcquire(NAME, owner(2)))).isEqualTo(new Attempt.Refused(owner(1)));
        assertThat(get(others.locks().holder(NAME))).contains(owner(1));
        taken(others.locks().tryAcquire("another", owner(3)));

        get(hold.release());
        get(hold.release());
        assertThat(get(others.locks().holder(NAME))).isEmpty();
        taken(others.locks().tryAcquire(NAME, owner(4)));
        get(hold.release());
        assertThat(get(mine.locks().holder(NAME))).contains(owner(4));
        assertThat(hold.lost()).isNotDone();
    }

    @Test
    protected void lockExcludesWithinOneProcessToo() {
        // D-65
        // D-103: decided otherwise here
        taken(mine.locks().tryAcquire(NAME, owner(1)));

        assertThat(get(mine.locks().tryAcquire(NAME, owner(2)))).isEqualTo(new Attempt.Refused(owner(1)));
    }

    @Test
    protected void lockThatIsSeizedIsLostByItsHolder() {
        // D-67
        Hold first = taken(mine.locks().tryAcquire(NAME, owner(1)));

        Hold second = get(others.locks().seize(NAME, owner(2)));

        get(first.lost());
        assertThat(get(mine.locks().holder(NAME))).contains(owner(2));
        get(first.release());
        assertThat(get(mine.locks().holder(NAME))).contains(owner(2));
        assertThat(second.lost()).isNotDone();
        get(get(mine.locks().seize("free before", owner(3))).release());
    }

    @Test
    protected void closingTheStoresFreesTheirLocksOnly() {
        MetadataStores dying = open();
        taken(dying.locks().tryAcquire(NAME, owner(1)));
        taken(mine.locks().tryAcquire("mine", owner(2)));

        dying.close();

        // D-63
        fixture.await(() -> get(mine.locks().holder(NAME)).isEmpty());
        assertThat(get(others.locks().holder("mine"))).contains(owner(2));
    }

    @Test
    protected void watchIsToldWhenTheLockChangesHandsOrBecomesFree() {
        AtomicInteger told = new AtomicInteger();
        Watch watch = others.locks().watch(NAME, told::incrementAndGet);
        assertThat(get(others.locks().holder(NAME))).isEqualTo(Optional.empty());

        Hold hold = taken(mine.locks().tryAcquire(NAME, owner(1)));
        fixture.await(() -> told.get() >= 1);
        int before = told.get();
        get(hold.release());
        fixture.await(() -> told.get() > before);

        watch.close();
    }

    @Test
    protected void ofManyWhoTryAtOnceOneGetsIt() {
        List<CompletableFuture<Attempt>> attempts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            attempts.add((i % 2 == 0 ? mine : others).locks().tryAcquire(NAME, owner(i)));
        }

        assertThat(attempts.stream().map(StoreContract::get).filter(Attempt.Taken.class::isInstance))
                .hasSize(1);
    }

    @Test
    protected void unreadableLockIsNotFree() {
        // M6
        for (byte[] value : ClusterStoreContract.unreadable(LockFormat.encode(NAME, owner(1)))) {
            fixture.plantLock(NAME, value);

            assertThat(refusal(mine.locks().tryAcquire(NAME, owner(2)))).isEqualTo(Code.UNREADABLE);
            assertThat(refusal(mine.locks().holder(NAME))).isEqualTo(Code.UNREADABLE);
        }
        get(mine.locks().seize(NAME, owner(3)));
        assertThat(get(mine.locks().holder(NAME))).contains(owner(3));
    }

    @Test
    protected void closedStoresRefuse() {
        mine.close();

        assertThat(refusal(mine.locks().tryAcquire(NAME, owner(1)))).isEqualTo(Code.CLOSED);
        assertThat(refusal(mine.locks().seize(NAME, owner(1)))).isEqualTo(Code.CLOSED);
    }

    @Test
    protected void impossibleNamesAreRefused() {
        for (String name : List.of("", "x".repeat(601))) {
            assertThatThrownBy(() -> mine.locks().tryAcquire(name, owner(1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        taken(mine.locks().tryAcquire("\u00e4".repeat(300), owner(1)));
    }
}
