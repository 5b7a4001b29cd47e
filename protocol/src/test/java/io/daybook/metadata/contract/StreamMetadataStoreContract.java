// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@code StreamMetadataStore} promises of one stream; {@link StreamListingContract} has the listing of names. */
public abstract class StreamMetadataStoreContract extends StoreContract {
    private static final String NAME = "orders";

    private Versioned<StreamMetadata> create(String name) {
        return get(mine.streams().create(Samples.stream(name, 1)));
    }

    private Versioned<StreamMetadata> put(Versioned<StreamMetadata> head, List<SegmentMetadata> puts) {
        long nextNumber = puts.stream()
                .mapToLong(segment -> segment.number() + 1)
                .reduce(head.value().nextSegmentNumber(), Math::max);
        StreamMetadata next = Samples.next(head.value(), nextNumber, head.version() + 50);
        return get(mine.streams().commit(new StreamChange(next, head.version(), puts, List.of())));
    }

    private List<Long> segmentNumbers() {
        return get(others.streams().segments(NAME, 0, 100_000)).items().stream()
                .map(SegmentMetadata::number)
                .toList();
    }

    @Test
    protected void streamIsReadBackAsItWasCreated() {
        Versioned<StreamMetadata> created = create(NAME);

        assertThat(created.value()).isEqualTo(Samples.stream(NAME, 1));
        assertThat(get(mine.streams().read(NAME))).isEqualTo(created);
        assertThat(get(others.streams().read(NAME))).isEqualTo(created);
        assertThat(get(others.streams().segments(NAME, 0, 10))).isEqualTo(new Page<>(List.of(), true));
    }

    @Test
    protected void nameInUseIsRefused() {
        Versioned<StreamMetadata> first = create(NAME);

        assertThat(refusal(others.streams().create(Samples.stream(NAME, 2)))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(mine.streams().read(NAME))).isEqualTo(first);
    }

    @Test
    protected void streamThatIsNotThereIsNotFound() {
        // D-134
        StreamMetadata head = Samples.stream(NAME, 1);

        assertThat(refusal(mine.streams().read(NAME))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(mine.streams().segments(NAME, 0, 10))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(mine.streams().commit(new StreamChange(head, 1, List.of(), List.of()))))
                .isEqualTo(Code.NOT_FOUND);
        get(mine.streams().delete(NAME, 1));
    }

    @Test
    protected void headAndSegmentsChangeTogether() {
        // D-132
        Versioned<StreamMetadata> created = create(NAME);
        StreamMetadata second = Samples.next(created.value(), 4, 2);
        List<SegmentMetadata> three = List.of(Samples.segment(1), Samples.segment(2), Samples.segment(3));

        Versioned<StreamMetadata> committed =
                get(mine.streams().commit(new StreamChange(second, created.version(), three, List.of())));
        assertThat(committed.value()).isEqualTo(second);
        assertThat(committed.version()).isGreaterThan(created.version());
        assertThat(get(others.streams().read(NAME))).isEqualTo(committed);
        assertThat(get(others.streams().segments(NAME, 0, 10)).items()).containsExactlyElementsOf(three);

        // Replaces one, adds one, removes one, and passes over the removal of one that does not exist.
        StreamMetadata third = Samples.next(second, 5, 3);
        List<SegmentMetadata> puts = List.of(Samples.completed(2), Samples.segment(4));
        get(others.streams().commit(new StreamChange(third, committed.version(), puts, List.of(1L, 77L))));

        assertThat(get(mine.streams().read(NAME)).value()).isEqualTo(third);
        assertThat(get(mine.streams().segments(NAME, 0, 10)))
                .isEqualTo(new Page<>(List.of(Samples.completed(2), Samples.segment(3), Samples.segment(4)), true));
    }

    @Test
    protected void conflictChangesNothing() {
        // D-56, D-134, D-135
        Versioned<StreamMetadata> created = create(NAME);
        Versioned<StreamMetadata> present = put(created, List.of(Samples.segment(1), Samples.segment(2)));
        StreamChange stale = new StreamChange(
                Samples.next(created.value(), 9, 9),
                created.version(),
                List.of(Samples.completed(1), Samples.segment(3)),
                List.of(2L));

        assertThat(refusal(others.streams().commit(stale))).isEqualTo(Code.VERSION_CONFLICT);

        assertThat(get(mine.streams().read(NAME))).isEqualTo(present);
        assertThat(get(mine.streams().segments(NAME, 0, 10)).items())
                .containsExactly(Samples.segment(1), Samples.segment(2));
    }

    @Test
    protected void oneOfManyWhoChangeTheSameVersionWins() {
        // D-57
        Versioned<StreamMetadata> created = create(NAME);
        List<CompletableFuture<Versioned<StreamMetadata>>> attempts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            StreamMetadata next = Samples.next(created.value(), 7, 10 + i);
            StreamChange change = new StreamChange(next, created.version(), List.of(Samples.segment(i + 1)), List.of());
            attempts.add((i % 2 == 0 ? mine : others).streams().commit(change));
        }

        List<Integer> winners = new ArrayList<>();
        for (int i = 0; i < attempts.size(); i++) {
            try {
                get(attempts.get(i));
                winners.add(i);
            } catch (MetadataException refused) {
                assertThat(refused.code()).isEqualTo(Code.VERSION_CONFLICT);
            }
        }

        assertThat(winners).hasSize(1);
        assertThat(segmentNumbers()).containsExactly(winners.get(0) + 1L);
    }

    @Test
    protected void streamWithSegmentsIsNotDeleted() {
        Versioned<StreamMetadata> head = put(create(NAME), List.of(Samples.segment(1)));

        assertThat(refusal(mine.streams().delete(NAME, head.version()))).isEqualTo(Code.VERSION_CONFLICT);
        assertThat(get(mine.streams().read(NAME))).isEqualTo(head);
        assertThat(segmentNumbers()).containsExactly(1L);

        StreamChange emptying = new StreamChange(
                Samples.next(head.value(), head.value().nextSegmentNumber(), 500),
                head.version(),
                List.of(),
                List.of(1L));
        Versioned<StreamMetadata> emptied = get(mine.streams().commit(emptying));
        get(mine.streams().delete(NAME, emptied.version()));
        assertThat(refusal(others.streams().read(NAME))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void deletionNamesTheVersionAndIsIdempotent() {
        Versioned<StreamMetadata> first = create(NAME);
        Versioned<StreamMetadata> second = put(first, List.of());

        assertThat(refusal(others.streams().delete(NAME, first.version()))).isEqualTo(Code.VERSION_CONFLICT);
        get(others.streams().delete(NAME, second.version()));
        get(others.streams().delete(NAME, second.version()));
        get(mine.streams().delete(NAME, first.version()));
    }

    @Test
    protected void versionsOfADeletedStreamMeanNothingToItsSuccessor() {
        // S14: a writer of the old stream must not change or delete the new one.
        Versioned<StreamMetadata> old = create(NAME);
        get(mine.streams().delete(NAME, old.version()));
        Versioned<StreamMetadata> successor = get(others.streams().create(Samples.stream(NAME, 2)));
        StreamChange late = new StreamChange(
                Samples.next(old.value(), 2, 3), old.version(), List.of(Samples.segment(1)), List.of());

        assertThat(refusal(mine.streams().commit(late))).isEqualTo(Code.VERSION_CONFLICT);
        assertThat(refusal(mine.streams().delete(NAME, old.version()))).isEqualTo(Code.VERSION_CONFLICT);

        assertThat(get(mine.streams().read(NAME))).isEqualTo(successor);
        assertThat(segmentNumbers()).isEmpty();
    }

    @Test
    protected void segmentNumbersOfANameNeverRepeat() {
        Versioned<StreamMetadata> old = create(NAME);
        Versioned<StreamMetadata> head =
                put(old, List.of(Samples.completed(1), Samples.completed(2), Samples.segment(3)));
        StreamMetadata emptied = Samples.next(head.value(), head.value().nextSegmentNumber(), 900);
        Versioned<StreamMetadata> empty =
                get(mine.streams().commit(new StreamChange(emptied, head.version(), List.of(), List.of(1L, 2L, 3L))));
        get(others.streams().delete(NAME, empty.version()));

        Versioned<StreamMetadata> second = get(others.streams().create(Samples.stream(NAME, 2)));

        // S14: the old one called 4 its next segment, so that a position at its end may name it
        assertThat(second.value()).isEqualTo(Samples.stream(NAME, 2).numberedFrom(5));
        assertThat(get(mine.streams().read(NAME))).isEqualTo(second);
        get(mine.streams().delete(NAME, second.version()));
        assertThat(get(mine.streams().create(Samples.stream(NAME, 3))).value().originSegmentNumber())
                .isEqualTo(6);
    }

    @Test
    protected void deletionOfAYoungerStreamLowersNoNumbers() {
        String sameBucket = LongStream.range(0, 1_000_000)
                .mapToObj(number -> "other" + number)
                .filter(name -> StreamNames.bucket(name) == StreamNames.bucket(NAME))
                .findFirst()
                .orElseThrow();
        Versioned<StreamMetadata> small = create(sameBucket);
        Versioned<StreamMetadata> young = create(NAME);
        StreamMetadata grown = Samples.next(young.value(), 40, 900);
        Versioned<StreamMetadata> old =
                get(mine.streams().commit(new StreamChange(grown, young.version(), List.of(), List.of())));
        get(mine.streams().delete(NAME, old.version()));
        get(others.streams().delete(sameBucket, small.version()));

        // S14
        assertThat(get(mine.streams().create(Samples.stream(NAME, 2))).value().originSegmentNumber())
                .isEqualTo(41);
    }

    @Test
    protected void changeOfTheMostSegmentsIsMadeAndALargerOneRefusedAtOnce() {
        List<SegmentMetadata> most = LongStream.rangeClosed(1, StreamChange.SEGMENTS_MAX)
                .mapToObj(Samples::completed)
                .toList();
        Versioned<StreamMetadata> head = put(create(NAME), most);
        List<Long> numbers = most.stream().map(SegmentMetadata::number).toList();
        StreamMetadata next = Samples.next(head.value(), head.value().nextSegmentNumber(), 9_999);

        get(mine.streams().commit(new StreamChange(next, head.version(), List.of(), numbers)));

        assertThat(segmentNumbers()).isEmpty();
        assertThatThrownBy(() -> new StreamChange(next, head.version(), List.of(Samples.segment(9_999)), numbers))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StreamChange(next, head.version(), List.of(Samples.segment(1)), List.of(1L)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    protected void segmentsArePagedInOrder() {
        Versioned<StreamMetadata> head = create(NAME);
        List<Long> numbers =
                new ArrayList<>(LongStream.rangeClosed(990, 1012).boxed().toList());
        numbers.addAll(List.of(2_000L, 10_000L, 123_456_789L));
        numbers.addAll(0, List.of(1L, 2L, 10L));
        put(head, numbers.stream().map(Samples::segment).toList());

        for (int size : new int[] {1, 7, 28, 29, 30}) {
            List<Long> listed = new ArrayList<>();
            Page<SegmentMetadata> page;
            do {
                long after = listed.isEmpty() ? 0 : listed.get(listed.size() - 1);
                page = get(others.streams().segments(NAME, after, size));
                page.items().forEach(segment -> listed.add(segment.number()));
            } while (!page.isLast());

            assertThat(listed).containsExactlyElementsOf(numbers);
        }
    }

    @Test
    protected void segmentsComeAndGoBetweenPages() {
        Versioned<StreamMetadata> head = put(
                create(NAME),
                LongStream.rangeClosed(1, 20).mapToObj(Samples::segment).toList());
        Page<SegmentMetadata> first = get(others.streams().segments(NAME, 0, 5));
        StreamChange change = new StreamChange(
                Samples.next(head.value(), 22, 900), head.version(), List.of(Samples.segment(21)), List.of(1L, 2L, 6L));

        get(mine.streams().commit(change));
        Page<SegmentMetadata> rest = get(others.streams().segments(NAME, 5, 100));

        assertThat(first.items()).extracting(SegmentMetadata::number).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(rest.isLast()).isTrue();
        assertThat(rest.items())
                .extracting(SegmentMetadata::number)
                .containsExactlyElementsOf(LongStream.rangeClosed(7, 21).boxed().toList());
    }

    @Test
    protected void watchIsToldOfChangesAndDeletion() {
        Versioned<StreamMetadata> head = create(NAME);
        AtomicInteger told = new AtomicInteger();
        others.streams().watch(NAME, told::incrementAndGet);
        get(others.streams().read(NAME));

        head = put(head, List.of());
        fixture.await(() -> told.get() >= 1);
        int before = told.get();
        get(mine.streams().delete(NAME, head.version()));
        fixture.await(() -> told.get() > before);
    }

    @Test
    protected void unreadableHeadIsNeitherAbsentNorReplaced() {
        // M6
        create(NAME);
        for (byte[] value : ClusterStoreContract.unreadable(StreamFormat.encode(Samples.stream(NAME, 1)))) {
            fixture.plantStream(NAME, value);

            assertThat(refusal(mine.streams().read(NAME))).isEqualTo(Code.UNREADABLE);
            assertThat(refusal(mine.streams().create(Samples.stream(NAME, 2)))).isEqualTo(Code.ALREADY_EXISTS);
            assertThat(get(mine.streams().list("", "", 10)).items()).containsExactly(NAME);
        }
    }

    @Test
    protected void unreadableSegmentIsNotPassedOver() {
        // D-137
        // M6
        put(create(NAME), List.of(Samples.segment(1), Samples.segment(2), Samples.segment(3)));

        fixture.plantSegment(NAME, 2, new byte[] {1, 2, 3});

        assertThat(refusal(mine.streams().segments(NAME, 0, 10))).isEqualTo(Code.UNREADABLE);
        assertThat(get(mine.streams().segments(NAME, 2, 10)).items()).containsExactly(Samples.segment(3));
    }
}
