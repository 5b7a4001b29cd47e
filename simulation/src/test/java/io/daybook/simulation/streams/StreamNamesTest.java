// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.StreamMetadata.Home;
import io.daybook.metadata.model.StreamSettings;
import io.daybook.metadata.model.WriteToken;
import io.daybook.simulation.streams.StreamNames.Asked;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.stream.DLSN;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs may be told of names depends on what the metadata store did, and when: a stream gets the second name, is deleted there, and another one is made under the first (S14). */
final class StreamNamesTest {
    private static final String NAME = "s";
    private static final String OTHER = "t";

    private final StreamNames names = new StreamNames(List.of(NAME, OTHER));

    private static StreamMetadata head(String name, long first, long shift) {
        return new StreamMetadata(
                name,
                new WriteToken(1, first),
                new Home(new WriteToken(1, 1), shift),
                StreamMetadata.State.ACTIVE,
                new StreamSettings(
                        Quorums.DEFAULT,
                        DigestType.CRC32C,
                        StreamSettings.TransactionIdMode.STRICT,
                        0,
                        0,
                        0,
                        0,
                        StreamSettings.Compression.NONE),
                0,
                first,
                first,
                first,
                0,
                0,
                0,
                -1,
                "",
                0,
                WriteToken.NONE);
    }

    private static Place place(String name, long segment) {
        return new Place(name, new DLSN(segment, 3, 2));
    }

    @BeforeEach
    void streamIsRenamed() {
        names.moved(head(NAME, 1, 0), head(OTHER, 5, 4), 10);
    }

    private void deleteAndMakeAgain() {
        names.marked(OTHER, 20);
        names.removed(OTHER, 30);
        names.made(head(NAME, 9, 0), 40);
    }

    @Test
    void streamStaysOnlyWhereItHasTheNameAndIsNotBeingDeleted() {
        Asked away = names.asked(NAME);
        Asked there = names.asked(OTHER);
        assertThat(names.stayed(away)).isFalse();
        assertThat(names.stayed(there)).isTrue();

        names.marked(OTHER, 20);

        assertThat(names.stayed(there)).isFalse();
        assertThat(names.stayed(names.asked(OTHER))).isFalse();
        assertThat(names.has(OTHER)).isTrue();
    }

    @Test
    void streamThatIsDeletedHasNeverLeftItsName() {
        Asked there = names.asked(OTHER);
        names.marked(OTHER, 20);
        names.removed(OTHER, 30);
        assertThat(names.isNeverLeft(there)).isTrue();

        names.made(head(OTHER, 12, 0), 40);
        assertThat(names.isNeverLeft(there)).isFalse();

        Asked next = names.asked(OTHER);
        names.moved(head(OTHER, 12, 0), head(NAME, 12, 0), 50);
        assertThat(names.isNeverLeft(next)).isFalse();
    }

    @Test
    void streamIsGoneFromTheBeginningOfItsDeletionOn() {
        assertThat(names.isGone()).isFalse();

        names.marked(OTHER, 20);
        assertThat(names.isGone()).isTrue();
        assertThat(names.isRemovedSince(OTHER, 5)).isFalse();

        names.removed(OTHER, 30);
        assertThat(names.isRemovedSince(OTHER, 5)).isTrue();
        assertThat(names.isRemovedSince(OTHER, 31)).isFalse();
        assertThat(names.isRemovedSince(NAME, 5)).isFalse();
    }

    @Test
    void positionIsToldUnderANameThatTheStreamHas() {
        assertThat(names.under(OTHER, place(NAME, 2))).contains(place(OTHER, 6));
    }

    @Test
    void positionIsNotToldUnderANameThatAnotherStreamHas() {
        deleteAndMakeAgain();

        assertThat(names.under(NAME, place(OTHER, 6))).isEmpty();
        assertThat(names.under(NAME, place(NAME, 2))).isEmpty();
        assertThat(names.under(NAME, place(NAME, 9))).contains(place(NAME, 9));
    }

    @Test
    void positionIsOfAnEarlierTimeWhereTheNameWasGivenAgain() {
        assertThat(names.isOfEarlierTime(place(NAME, 2))).isFalse();

        deleteAndMakeAgain();

        assertThat(names.isOfEarlierTime(place(NAME, 2))).isTrue();
        assertThat(names.isOfEarlierTime(place(NAME, 9))).isFalse();
    }

    @Test
    void streamIsBackOnlyWhereItHasHadTheNameItself() {
        deleteAndMakeAgain();
        assertThat(names.isBack(NAME)).isFalse();

        names.moved(head(NAME, 9, 0), head(OTHER, 9, 0), 50);
        assertThat(names.isBack(OTHER)).isFalse();

        names.moved(head(OTHER, 9, 0), head(NAME, 12, 3), 60);
        assertThat(names.isBack(NAME)).isTrue();
    }

    @Test
    void renameIsFoundByItsNamesAndItsTime() {
        assertThat(names.rename(NAME, OTHER, 10)).isPresent();
        assertThat(names.rename(NAME, OTHER, 11)).isEmpty();
        assertThat(names.rename(OTHER, NAME, 10)).isEmpty();
    }
}
