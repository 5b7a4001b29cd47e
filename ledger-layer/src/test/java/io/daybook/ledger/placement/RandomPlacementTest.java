// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.BookieRegistration;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The choice of bookies. */
final class RandomPlacementTest {
    private final Placement placement = new RandomPlacement(new SimulatedWorld(1).random("placement"), 30);

    private static BookieId id(int i) {
        return new BookieId(0, i);
    }

    private static List<BookieRegistration> bookies(int count, int readOnlyFrom) {
        List<BookieRegistration> bookies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            bookies.add(new BookieRegistration(id(i), "b" + i, "host", 1, i >= readOnlyFrom, "", 0));
        }
        return bookies;
    }

    @Test
    void aLegalChoiceIsFoundWheneverThereIsOne() { // S-13
        for (int round = 0; round < 10_000; round++) {
            int excluded = round % 5;

            List<BookieId> chosen = placement.choose(bookies(6, 5), List.of(id(excluded)), 4, 0);

            assertThat(chosen).hasSize(4).doesNotHaveDuplicates().doesNotContain(id(excluded), id(5));
        }
    }

    @Test
    void thereAreFewerWhenThereAreNoMore() {
        assertThat(placement.choose(bookies(3, 2), List.of(id(0)), 3, 0)).containsExactly(id(1));
        assertThat(placement.choose(List.of(), List.of(), 3, 0)).isEmpty();
    }

    @Test
    void bookiesThatFailedLatelyComeLastAndTheOneThatFailedFirstBeforeTheOthers() {
        placement.failed(id(0), 100);
        placement.failed(id(1), 90);

        assertThat(placement.choose(bookies(3, 3), List.of(), 3, 110)).containsExactly(id(2), id(1), id(0));
        assertThat(placement.choose(bookies(3, 3), List.of(), 1, 110)).containsExactly(id(2));
        assertThat(placement.choose(bookies(2, 2), List.of(), 1, 110)).containsExactly(id(1));
    }

    @Test
    void quarantineEnds() {
        placement.failed(id(0), 100);
        boolean chosenFirst = false;
        for (int round = 0; round < 100; round++) {
            chosenFirst |= placement.choose(bookies(2, 2), List.of(), 1, 130).contains(id(0));
        }

        assertThat(chosenFirst).isTrue();
    }
}
