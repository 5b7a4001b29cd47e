// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamNames;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every {@code StreamMetadataStore} promises of the names of streams. */
public abstract class StreamListingContract extends StoreContract {
    /** Names that a path, a shell, a URI or a sort order may trip over, in order of their UTF-8 bytes. */
    private static final List<String> ODD_NAMES = List.of(
            "\u0000",
            "\u0001\n\t",
            " ",
            "!",
            "%2F",
            "%2f",
            ".",
            "..",
            "...",
            "../x",
            "/",
            "//",
            "/a/b/",
            "a",
            "a ",
            "a%",
            "a+b",
            "a.b",
            "a/b",
            "aa",
            "a\u00e4",
            "a\uffff",
            "a\ud83d\ude00",
            "b:c?d=e#f",
            "zookeeper",
            "\u00e4",
            "\ue000",
            "\uffef",
            "\ud800\udc00",
            "\udbff\udfff");

    private void create(List<String> names) {
        List<CompletableFuture<Versioned<StreamMetadata>>> creations = new ArrayList<>();
        names.forEach(name -> creations.add(mine.streams().create(Samples.stream(name, 1))));
        creations.forEach(StoreContract::get);
    }

    private List<String> list(String prefix, int size) {
        List<String> listed = new ArrayList<>();
        Page<String> page;
        do {
            String after = listed.isEmpty() ? "" : listed.get(listed.size() - 1);
            page = get(others.streams().list(prefix, after, size));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(size);
            listed.addAll(page.items());
        } while (!page.isLast());
        return listed;
    }

    @Test
    protected void emptyListingIsOneLastPage() {
        assertThat(get(mine.streams().list("", "", 10))).isEqualTo(new Page<String>(List.of(), true));
        assertThat(get(mine.streams().list("a", "b", 10))).isEqualTo(new Page<String>(List.of(), true));
    }

    @Test
    protected void anyNameIsStoredFoundAndListedInOrderOfItsBytes() {
        assertThat(ODD_NAMES).isSortedAccordingTo(StreamNames.ORDER);
        create(ODD_NAMES);

        for (String name : ODD_NAMES) {
            assertThat(get(others.streams().read(name)).value()).isEqualTo(Samples.stream(name, 1));
        }
        for (int size : new int[] {1, 7, ODD_NAMES.size() - 1, ODD_NAMES.size(), ODD_NAMES.size() + 1}) {
            assertThat(list("", size)).containsExactlyElementsOf(ODD_NAMES);
        }
    }

    @Test
    protected void prefixSelectsByCharacters() {
        create(ODD_NAMES);

        for (String prefix : List.of("a", "a/", "/", ".", "%2", "zzz", "\ud83d\ude00", "a\ud83d\ude00")) {
            List<String> expected =
                    ODD_NAMES.stream().filter(name -> name.startsWith(prefix)).toList();
            assertThat(list(prefix, 2)).containsExactlyElementsOf(expected);
            assertThat(list(prefix, 100)).containsExactlyElementsOf(expected);
        }
    }

    @Test
    protected void longestNameIsStored() {
        String longest = "\u00e4".repeat(StreamNames.NAME_BYTES_MAX / 2);
        create(List.of(longest));

        assertThat(get(others.streams().read(longest)).value().name()).isEqualTo(longest);
        assertThat(list("", 10)).containsExactly(longest);
    }

    @Test
    protected void impossibleNamesAreRefusedAtOnce() {
        for (String name : List.of("", "x".repeat(StreamNames.NAME_BYTES_MAX + 1), "\ud800", "a\udc00b")) {
            assertThatThrownBy(() -> mine.streams().create(Samples.stream(name, 1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    protected void streamsThatStayAreListedOnceWhileOthersComeAndGo() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            names.add("stream-" + (100 + i));
        }
        create(names);
        List<String> listed = new ArrayList<>();

        Page<String> page = get(mine.streams().list("stream-", "", 9));
        listed.addAll(page.items());
        for (String gone : List.of("stream-103", "stream-111", "stream-125")) {
            Versioned<StreamMetadata> head = get(others.streams().read(gone));
            get(others.streams().delete(gone, head.version()));
            names.remove(gone);
        }
        get(others.streams().create(Samples.stream("stream-0", 2)));
        get(others.streams().create(Samples.stream("stream-1300", 2)));
        while (!page.isLast()) {
            page = get(mine.streams().list("stream-", listed.get(listed.size() - 1), 9));
            listed.addAll(page.items());
        }

        assertThat(listed)
                .isSortedAccordingTo(StreamNames.ORDER)
                .doesNotHaveDuplicates()
                .containsAll(names);
    }

    @Test
    protected void nameWithLineBreaksDoesNotBreakAMessage() {
        assertThat(refusal(mine.streams().read("a\nb\u0085\u2028c"))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void freshListingIsUpToDate() {
        create(List.of("a", "b", "c", "d"));
        assertThat(list("", 2)).containsExactly("a", "b", "c", "d");
        assertThat(list("", Integer.MAX_VALUE)).containsExactly("a", "b", "c", "d");

        get(others.streams().delete("b", get(others.streams().read("b")).version()));
        get(others.streams().create(Samples.stream("e", 1)));

        assertThat(get(mine.streams().list("", "", 10)).items()).containsExactly("a", "c", "d", "e");
        assertThat(refusal(mine.streams().read("b"))).isEqualTo(Code.NOT_FOUND);
    }
}
