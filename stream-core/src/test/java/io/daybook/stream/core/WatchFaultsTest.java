// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.daybook.runtime.Failures;
import io.daybook.stream.Namespace.Change;
import io.daybook.stream.Namespace.Change.Kind;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Watches over a namespace, where the store fails and where there are many streams. */
final class WatchFaultsTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final long INTERVAL_NANOS = INTERVAL.toNanos();

    private final SimulatedStage world = new SimulatedStage(3);
    private final StreamsNamespace maker = world.namespace("maker");

    private void make(int number) {
        world.await(maker.openStream(name(number), OpenMode.CREATE_NEW));
    }

    private static String name(int number) {
        return String.format("s%05d", number);
    }

    @Test
    void listingThatFailsIsToldAndNeverTakenForDeletions() {
        // D-128
        FaultyStores stores = new FaultyStores(world.stores());
        StreamsNamespace watching = world.program("watching", stores).namespace();
        make(1);
        HeardChanges heard = new HeardChanges();
        watching.watch("", INTERVAL).subscribe(heard);
        heard.request(10);
        world.world().runFor(1_000_000);
        stores.away(true);

        world.world().runFor(2 * INTERVAL_NANOS);

        // M7
        assertThat(Failures.rootOf(catchThrowable(() -> world.await(heard.end()))))
                .isInstanceOf(StreamException.Unavailable.class);
        assertThat(heard.all()).containsExactly(new Change(Kind.PRESENT, name(1)));

        stores.away(false);
        HeardChanges again = new HeardChanges();
        CompletableFuture<Change> first = again.next();
        watching.watch("", INTERVAL).subscribe(again);
        again.request(1);
        assertThat(world.await(first)).isEqualTo(new Change(Kind.PRESENT, name(1)));
    }

    @Test
    void whoTakesWhatIsToldKnowsTheNamesOfManyPagesWithinTheInterval() {
        for (int i = 0; i < 2_500; i++) {
            make(i);
        }
        HeardChanges heard = new HeardChanges();
        maker.watch("s", INTERVAL).subscribe(heard);
        heard.request(Long.MAX_VALUE);
        world.world().runFor(INTERVAL_NANOS / 2);
        assertThat(heard.all()).hasSize(2_500).allMatch(change -> change.kind() == Kind.PRESENT);

        // Some at the edges of pages, some in the middle, some behind all others.
        List<String> wanted = new ArrayList<>();
        for (int gone : List.of(0, 999, 1_000, 1_001, 1_999, 2_499)) {
            world.await(maker.delete(name(gone)));
            wanted.add("DELETED " + name(gone));
        }
        for (int made : List.of(2_500, 3_000)) {
            make(made);
            wanted.add("CREATED " + name(made));
        }
        world.world().runFor(INTERVAL_NANOS + INTERVAL_NANOS / 10);

        assertThat(heard.all().stream().skip(2_500).map(change -> change.kind() + " " + change.name()))
                .containsExactlyInAnyOrderElementsOf(wanted);
        Map<String, Kind> last = new TreeMap<>();
        heard.all().forEach(change -> last.put(change.name(), change.kind()));
        assertThat(last.values().stream().filter(kind -> kind != Kind.DELETED)).hasSize(2_496);
    }
}
