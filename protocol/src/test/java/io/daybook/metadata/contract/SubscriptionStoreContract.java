// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every {@code SubscriptionStore} promises. */
public abstract class SubscriptionStoreContract extends StoreContract {
    private static final StreamMetadata STREAM = Samples.stream("orders/eu", 1);
    private static final StreamMetadata OTHER = Samples.stream("other", 2);

    private static SubscriptionMetadata subscription(String id, long nextEntry, long token) {
        return new SubscriptionMetadata(
                id,
                STREAM.identity(),
                3,
                nextEntry,
                5,
                2,
                "reader \u00e4",
                1_700_000_000_000L,
                5,
                Samples.token(token));
    }

    private Versioned<StreamMetadata> createStream() {
        return get(mine.streams().create(STREAM));
    }

    @Test
    protected void subscriptionIsReadBackByEverybody() {
        createStream();
        get(mine.streams().create(OTHER));
        Versioned<SubscriptionMetadata> created = get(mine.subscriptions().create(STREAM, subscription("s/1", 7, 1)));

        assertThat(created.value()).isEqualTo(subscription("s/1", 7, 1));
        assertThat(get(others.subscriptions().read(STREAM, "s/1"))).isEqualTo(created);
        assertThat(refusal(mine.subscriptions().create(STREAM, subscription("s/1", 7, 2))))
                .isEqualTo(Code.ALREADY_EXISTS);
        assertThat(refusal(mine.subscriptions().read(STREAM, "other"))).isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(mine.subscriptions().read(OTHER, "s/1"))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void oneOfManyWhoReplaceTheSameVersionWins() {
        createStream();
        Versioned<SubscriptionMetadata> created = get(mine.subscriptions().create(STREAM, subscription("s", 0, 1)));
        List<CompletableFuture<Versioned<SubscriptionMetadata>>> attempts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            attempts.add((i % 2 == 0 ? mine : others)
                    .subscriptions()
                    .replace(STREAM, subscription("s", i, 10 + i), created.version()));
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
        assertThat(get(mine.subscriptions().read(STREAM, "s")).value().nextEntry())
                .isEqualTo((long) winners.get(0));
    }

    @Test
    protected void versionOfADeletedOneMeansNothingToItsSuccessor() {
        createStream();
        Versioned<SubscriptionMetadata> old = get(mine.subscriptions().create(STREAM, subscription("s", 0, 1)));
        get(others.subscriptions().delete(STREAM, "s"));
        get(others.subscriptions().delete(STREAM, "s"));
        assertThat(refusal(mine.subscriptions().replace(STREAM, subscription("s", 1, 2), old.version())))
                .isEqualTo(Code.NOT_FOUND);
        Versioned<SubscriptionMetadata> next = get(others.subscriptions().create(STREAM, subscription("s", 9, 3)));

        assertThat(refusal(mine.subscriptions().replace(STREAM, subscription("s", 1, 4), old.version())))
                .isEqualTo(Code.VERSION_CONFLICT);
        assertThat(get(mine.subscriptions().read(STREAM, "s"))).isEqualTo(next);
    }

    @Test
    protected void subscriptionsAreThoseOfTheStreamNotOfItsName() {
        // S14
        Versioned<StreamMetadata> head = createStream();
        Versioned<SubscriptionMetadata> created = get(mine.subscriptions().create(STREAM, subscription("s", 0, 1)));

        assertThat(refusal(others.streams().delete(STREAM.name(), head.version())))
                .isEqualTo(Code.VERSION_CONFLICT);
        assertThat(get(mine.subscriptions().read(STREAM, "s"))).isEqualTo(created);
        get(others.subscriptions().delete(STREAM, "s"));
        assertThat(refusal(mine.subscriptions().read(STREAM, "s"))).isEqualTo(Code.NOT_FOUND);
        get(others.subscriptions().delete(STREAM, "s"));
        get(mine.streams().delete(STREAM.name(), head.version()));
        StreamMetadata successor =
                get(mine.streams().create(Samples.stream(STREAM.name(), 3))).value();
        assertThat(refusal(mine.subscriptions().create(STREAM, subscription("s", 0, 2))))
                .isEqualTo(Code.NOT_FOUND);
        assertThat(refusal(others.subscriptions().delete(STREAM, "s"))).isEqualTo(Code.NOT_FOUND);
        assertThat(get(mine.subscriptions().list(STREAM, "", 3))).isEqualTo(new Page<>(List.of(), true));
        assertThat(refusal(mine.subscriptions().read(successor, "s"))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void idsAreListedInOrderByPages() {
        createStream();
        for (String id : List.of("b", "a/1", "c", "a")) {
            get(mine.subscriptions().create(STREAM, subscription(id, 0, id.length())));
        }

        Page<String> first = get(others.subscriptions().list(STREAM, "", 3));
        Page<String> second = get(others.subscriptions().list(STREAM, "b", 3));

        assertThat(first).isEqualTo(new Page<>(List.of("a", "a/1", "b"), false));
        assertThat(second).isEqualTo(new Page<>(List.of("c"), true));
        assertThat(get(mine.subscriptions().list(OTHER, "", 3))).isEqualTo(new Page<>(List.of(), true));
    }
}
