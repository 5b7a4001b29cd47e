// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.StreamMetadataStore.NewName;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every store promises of a stream that gets another name (D-133). */
public abstract class StreamRenameContract extends StoreContract {
    private static final String NAME = "orders";

    private Versioned<StreamMetadata> create(String name) {
        return get(mine.streams().create(Samples.stream(name, 1)));
    }

    private Versioned<StreamMetadata> put(Versioned<StreamMetadata> head, List<SegmentMetadata> puts) {
        StreamMetadata next =
                Samples.next(head.value(), head.value().nextSegmentNumber() + puts.size(), head.version() + 50);
        return get(mine.streams().commit(new StreamChange(next, head.version(), puts, List.of())));
    }

    private Versioned<StreamMetadata> rename(Versioned<StreamMetadata> head, List<SegmentMetadata> puts, String to) {
        StreamMetadata next = Samples.next(head.value(), head.value().nextSegmentNumber(), head.version() + 70);
        return get(mine.streams()
                .rename(
                        new StreamChange(next, head.version(), puts, List.of()),
                        new NewName(to, Samples.token(head.version() + 500_000))));
    }

    @Test
    protected void renamedStreamKeepsWhatItHasAndItsOldNameIsFree() {
        Versioned<StreamMetadata> head = put(create(NAME), List.of(Samples.completed(1), Samples.segment(2)));

        Versioned<StreamMetadata> moved = rename(head, List.of(Samples.completed(2)), "bills");

        assertThat(moved.value().name()).isEqualTo("bills");
        assertThat(moved.value().identity()).isEqualTo(head.value().identity());
        assertThat(moved.value().incarnation()).isNotEqualTo(head.value().incarnation());
        assertThat(moved.value().nextSegmentNumber()).isEqualTo(3);
        assertThat(get(others.streams().read("bills"))).isEqualTo(moved);
        assertThat(get(others.streams().segments("bills", 0, 10)).items())
                .containsExactly(Samples.completed(1), Samples.completed(2));
        assertThat(get(others.streams().nameOf(head.value().identity()))).isEqualTo("bills");
        assertThat(refusal(others.streams().read(NAME))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(others.streams().segments(NAME, 0, 10))).isEqualTo(Code.NOT_FOUND);
        assertThat(get(others.streams().list("", "", 10)).items()).containsExactly("bills");
        StreamChange late = new StreamChange(
                Samples.next(head.value(), 4, 9), head.version(), List.of(Samples.segment(3)), List.of());
        assertThat(refusal(others.streams().commit(late))).isEqualTo(Code.NOT_FOUND);

        // S14: its numbers under the old name, and the one that it called its next, are no other's
        Versioned<StreamMetadata> successor = get(others.streams().create(Samples.stream(NAME, 2)));
        assertThat(successor.value().originSegmentNumber()).isEqualTo(4);
        assertThat(refusal(mine.streams().commit(late))).isEqualTo(Code.VERSION_CONFLICT);
        assertThat(get(mine.streams().segments(NAME, 0, 10)).items()).isEmpty();
    }

    @Test
    protected void renamedStreamIsChangedAndDeletedUnderItsNewName() {
        Versioned<StreamMetadata> moved = rename(put(create(NAME), List.of(Samples.completed(1))), List.of(), "bills");

        Versioned<StreamMetadata> grown = put(moved, List.of(Samples.segment(2)));
        assertThat(get(others.streams().segments("bills", 1, 10)).items()).containsExactly(Samples.segment(2));
        Versioned<StreamMetadata> emptied = get(others.streams()
                .commit(new StreamChange(
                        Samples.next(grown.value(), 3, 900), grown.version(), List.of(), List.of(1L, 2L))));
        get(mine.streams().delete("bills", emptied.version()));

        assertThat(refusal(others.streams().read("bills"))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(others.streams().nameOf(moved.value().identity()))).isEqualTo(Code.NOT_FOUND);
        assertThat(get(others.streams().create(Samples.stream("bills", 4)))
                        .value()
                        .originSegmentNumber())
                .isEqualTo(4);
    }

    @Test
    protected void numbersOfARenamedStreamRiseAboveThoseThatItsNewNameHasHad() {
        // S14
        Versioned<StreamMetadata> gone = get(mine.streams().create(Samples.stream("bills", 3)));
        StreamMetadata grown = Samples.next(gone.value(), 40, 900);
        gone = get(mine.streams().commit(new StreamChange(grown, gone.version(), List.of(), List.of())));
        get(mine.streams().delete("bills", gone.version()));
        Versioned<StreamMetadata> head = put(create(NAME), List.of(Samples.completed(1), Samples.completed(2)));

        Versioned<StreamMetadata> moved = rename(head, List.of(), "bills");

        assertThat(moved.value().originSegmentNumber()).isEqualTo(41);
        assertThat(moved.value().nextSegmentNumber()).isEqualTo(43);
        assertThat(moved.value().truncatedSegment()).isEqualTo(41);
        assertThat(get(others.streams().segments("bills", 0, 10)).items())
                .containsExactly(numbered(1, 41), numbered(2, 42));
        assertThat(get(others.streams().segments("bills", 41, 1)).items()).containsExactly(numbered(2, 42));
        put(moved, List.of(Samples.segment(43)));
        assertThat(get(others.streams().segments("bills", 42, 5)).items()).containsExactly(Samples.segment(43));

        // And back again: above what it has had itself under that name.
        Versioned<StreamMetadata> back = rename(get(mine.streams().read("bills")), List.of(), NAME);
        assertThat(back.value().originSegmentNumber()).isEqualTo(41);
        assertThat(get(others.streams().segments(NAME, 0, 10)).items())
                .containsExactly(numbered(1, 41), numbered(2, 42), Samples.segment(43));
    }

    private static SegmentMetadata numbered(long number, long other) {
        return Samples.completed(number).numbered(other);
    }

    @Test
    protected void subscriptionsGoAlongWithTheirStream() {
        Versioned<StreamMetadata> gone = get(mine.streams().create(Samples.stream("bills", 3)));
        get(mine.streams().delete("bills", gone.version()));
        Versioned<StreamMetadata> head = create(NAME);
        SubscriptionMetadata subscription =
                new SubscriptionMetadata("s", head.value().identity(), 1, 7, 3, 0, "", 1, 2, Samples.token(5));
        Versioned<SubscriptionMetadata> created = get(mine.subscriptions().create(head.value(), subscription));

        StreamMetadata moved = rename(head, List.of(), "bills").value();

        long rise = moved.originSegmentNumber() - 1;
        assertThat(rise).isPositive();
        Versioned<SubscriptionMetadata> there = get(others.subscriptions().read(moved, "s"));
        assertThat(there).isEqualTo(new Versioned<>(subscription.inSegment(1 + rise), created.version()));
        assertThat(get(others.subscriptions().list(moved, "", 5)).items()).containsExactly("s");
        // Whoever knows the stream by its old name moves the same subscription.
        SubscriptionMetadata further =
                new SubscriptionMetadata("s", head.value().identity(), 2, 0, 0, 0, "", 1, 3, Samples.token(6));
        get(mine.subscriptions().replace(head.value(), further, created.version()));
        assertThat(get(others.subscriptions().read(moved, "s")).value().nextSegment())
                .isEqualTo(2 + rise);
    }

    @Test
    protected void renameToANameInUseOrOfAnOldVersionChangesNothing() {
        Versioned<StreamMetadata> first = create(NAME);
        Versioned<StreamMetadata> head = put(first, List.of(Samples.segment(1)));
        Versioned<StreamMetadata> other = create("bills");
        NewName bills = new NewName("bills", Samples.token(800));
        NewName free = new NewName("free", Samples.token(801));
        StreamChange change = new StreamChange(
                Samples.next(head.value(), 2, 810), head.version(), List.of(Samples.completed(1)), List.of());
        StreamChange stale = new StreamChange(
                Samples.next(first.value(), 2, 811), first.version(), List.of(Samples.completed(1)), List.of());

        assertThat(refusal(mine.streams().rename(change, bills))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(refusal(mine.streams().rename(stale, free))).isEqualTo(Code.VERSION_CONFLICT);

        assertThat(get(others.streams().read(NAME))).isEqualTo(head);
        assertThat(get(others.streams().read("bills"))).isEqualTo(other);
        assertThat(get(others.streams().segments(NAME, 0, 10)).items()).containsExactly(Samples.segment(1));
        assertThat(refusal(others.streams().read("free"))).isEqualTo(Code.NOT_FOUND);
        rename(head, List.of(), "free");
        assertThat(refusal(mine.streams().rename(change, new NewName("more", Samples.token(802)))))
                .isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void oneOfManyWhoRenameTheSameVersionWins() {
        Versioned<StreamMetadata> head = create(NAME);
        List<CompletableFuture<Versioned<StreamMetadata>>> attempts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            StreamChange change =
                    new StreamChange(Samples.next(head.value(), 1, 10 + i), head.version(), List.of(), List.of());
            attempts.add((i % 2 == 0 ? mine : others)
                    .streams()
                    .rename(change, new NewName("other" + i % 3, Samples.token(700 + i))));
        }

        int winners = 0;
        for (CompletableFuture<Versioned<StreamMetadata>> attempt : attempts) {
            try {
                get(attempt);
                winners++;
            } catch (MetadataException refused) {
                assertThat(refused.code()).isIn(Code.NOT_FOUND, Code.ALREADY_EXISTS);
            }
        }

        assertThat(winners).isOne();
        assertThat(get(mine.streams().list("", "", 10)).items()).hasSize(1);
    }

    @Test
    protected void renameWithinOneBucketRaisesItsOriginOnce() {
        String sameBucket = LongStream.range(0, 1_000_000)
                .mapToObj(number -> "other" + number)
                .filter(name -> StreamNames.bucket(name) == StreamNames.bucket(NAME))
                .findFirst()
                .orElseThrow();
        Versioned<StreamMetadata> head = put(create(NAME), List.of(Samples.completed(1)));

        Versioned<StreamMetadata> moved = rename(head, List.of(), sameBucket);

        assertThat(moved.value().originSegmentNumber()).isOne();
        Versioned<StreamMetadata> back = rename(moved, List.of(), NAME);
        assertThat(back.value().originSegmentNumber()).isEqualTo(3);
        assertThat(get(others.streams().segments(NAME, 0, 10)).items()).containsExactly(numbered(1, 3));
        assertThat(get(mine.streams().create(Samples.stream(sameBucket, 9)))
                        .value()
                        .originSegmentNumber())
                .isEqualTo(3);
    }

    @Test
    protected void watchIsToldOfARename() {
        Versioned<StreamMetadata> head = create(NAME);
        AtomicInteger told = new AtomicInteger();
        others.streams().watch(NAME, told::incrementAndGet);
        get(others.streams().read(NAME));

        rename(head, List.of(), "bills");

        fixture.await(() -> told.get() >= 1);
    }
}
