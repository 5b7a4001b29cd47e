// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.BookieRegistry.Registration;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Watch;
import io.daybook.metadata.format.BookieFormat;
import io.daybook.metadata.model.BookieRegistration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every {@code BookieRegistry} promises. */
public abstract class BookieRegistryContract extends StoreContract {
    @Test
    protected void cookiesAreReadBackInOrderOfTheirIds() {
        get(mine.bookies().addCookie(Samples.cookie(3)));
        get(mine.bookies().addCookie(Samples.cookie(1)));
        get(others.bookies().addCookie(Samples.cookie(2)));

        assertThat(get(others.bookies().cookie(Samples.bookie(3)))).isEqualTo(Samples.cookie(3));
        assertThat(get(mine.bookies().cookies()))
                .containsExactly(Samples.cookie(1), Samples.cookie(2), Samples.cookie(3));
    }

    @Test
    protected void idsAreOrderedAsUnsignedNumbers() {
        get(mine.bookies().addCookie(Samples.cookie(-5)));
        get(mine.bookies().addCookie(Samples.cookie(5)));

        assertThat(get(mine.bookies().cookies()))
                .isSortedAccordingTo((one, other) -> one.bookieId().compareTo(other.bookieId()));
    }

    @Test
    protected void cookieOfATakenIdIsRefusedAndTheOldOneKept() {
        get(mine.bookies().addCookie(Samples.cookie(1)));

        assertThat(refusal(others.bookies().addCookie(Samples.cookie(1)))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(refusal(mine.bookies().cookie(Samples.bookie(2)))).isEqualTo(Code.NOT_FOUND);
        assertThat(get(mine.bookies().cookies())).containsExactly(Samples.cookie(1));
    }

    @Test
    protected void unreadableCookieIsNotAbsent() {
        // M6
        for (byte[] value : ClusterStoreContract.unreadable(BookieFormat.encodeCookie(Samples.cookie(1)))) {
            fixture.plantCookie(Samples.bookie(1), value);

            assertThat(refusal(mine.bookies().cookie(Samples.bookie(1)))).isEqualTo(Code.UNREADABLE);
            assertThat(refusal(mine.bookies().cookies())).isEqualTo(Code.UNREADABLE);
        }
    }

    @Test
    protected void registeredBookieIsLiveForEverybodyUntilItsRegistrationIsClosed() {
        Registration second = get(mine.bookies().register(Samples.registration(2, false), Samples.tokens(1)));
        get(others.bookies().register(Samples.registration(1, true), Samples.tokens(2)));
        assertThat(get(mine.bookies().live()))
                .containsExactly(Samples.registration(1, true), Samples.registration(2, false));

        get(second.close());
        get(second.close());

        fixture.await(() -> get(others.bookies().live()).equals(List.of(Samples.registration(1, true))));
        assertThat(refusal(second.update(Samples.registration(2, true)))).isEqualTo(Code.CLOSED);
        get(others.bookies().register(Samples.registration(2, true), Samples.tokens(3)));
    }

    // P-89
    @Test
    protected void registrationIsReplacedByItsOwner() {
        Registration registration = get(mine.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        get(registration.update(Samples.registration(1, true)));
        assertThat(get(mine.bookies().live())).containsExactly(Samples.registration(1, true));

        BookieRegistration moved = new BookieRegistration(Samples.bookie(1), "new name", "elsewhere", 1, false, "", 0);
        get(registration.update(moved));
        fixture.await(() -> get(others.bookies().live()).equals(List.of(moved)));
    }

    @Test
    protected void secondProcessOfALiveBookieIsRefused() {
        get(mine.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        assertThat(refusal(others.bookies().register(Samples.registration(1, true), Samples.tokens(2))))
                .isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(mine.bookies().live())).containsExactly(Samples.registration(1, false));
    }

    // S-27 c
    @Test
    protected void registrationOfAProcessThatIsProvedDeadIsReplacedAtOnce() {
        Registration dead = get(mine.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        Registration next = get(others.bookies().register(Samples.registration(1, true), Samples.tokens(3, 2, 1)));

        fixture.await(() -> get(mine.bookies().live()).equals(List.of(Samples.registration(1, true))));
        assertThat(refusal(dead.update(Samples.registration(1, false)))).isEqualTo(Code.ALREADY_EXISTS);
        // S-32 d
        assertThat(get(dead.lost())).contains(Samples.registration(1, true));
        assertThat(next.lost()).isNotDone();
        get(dead.close());
        get(next.update(Samples.registration(1, true)));
        fixture.await(() -> get(mine.bookies().live()).equals(List.of(Samples.registration(1, true))));
    }

    // S-32 d
    @Test
    protected void registrationOfAnybodyElseIsNotReplaced() {
        get(mine.bookies().register(Samples.registration(1, false), Samples.tokens(1)));

        assertThat(refusal(others.bookies().register(Samples.registration(1, true), Samples.tokens(3, 2))))
                .isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(mine.bookies().live())).containsExactly(Samples.registration(1, false));
    }

    @Test
    protected void registrationThatWasClosedIsLostToNobody() {
        Registration closed = get(mine.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        get(closed.close());

        Registration next = get(others.bookies().register(Samples.registration(1, true), Samples.tokens(2)));
        get(next.update(Samples.registration(1, false)));

        assertThat(refusal(closed.update(Samples.registration(1, true)))).isEqualTo(Code.CLOSED);
        assertThat(closed.lost()).isNotDone();
        assertThat(next.lost()).isNotDone();
    }

    @Test
    protected void closingTheStoresEndsTheirRegistrationsOnly() {
        MetadataStores dying = open();
        get(dying.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        get(mine.bookies().register(Samples.registration(2, false), Samples.tokens(2)));

        dying.close();

        fixture.await(() -> get(mine.bookies().live()).equals(List.of(Samples.registration(2, false))));
    }

    @Test
    protected void watchIsToldOfComersAndGoers() {
        AtomicInteger told = new AtomicInteger();
        Watch watch = others.bookies().watchLive(told::incrementAndGet);
        fixture.await(() -> get(others.bookies().live()).isEmpty());

        Registration registration = get(mine.bookies().register(Samples.registration(1, false), Samples.tokens(1)));
        fixture.await(() -> told.get() >= 1);
        int afterRegistering = told.get();
        get(registration.close());
        fixture.await(() -> told.get() > afterRegistering);

        watch.close();
        watch.close();
    }
}
