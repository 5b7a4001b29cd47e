// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.Page;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S-30 (b): a stream of very many segments is listed by pages, and nothing that ZooKeeper sends or is sent comes near the megabyte that it takes. */
final class ManySegmentsTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private static final int SEGMENTS = 50_000;
    private static final int ZOOKEEPER_BYTES_MAX = 1024 * 1024;

    @Override
    protected MetadataFixture newFixture() {
        return new ZkFixture(ZOOKEEPER);
    }

    @Test
    @Tag("slow")
    void streamOfManySegmentsIsListedByPagesThatAreFarFromTheLimit() throws IOException {
        try (LossyProxy proxy = new LossyProxy(ZOOKEEPER.server().getPort());
                MetadataStores stores = new ZkMetadataStores(
                        ((ZkFixture) fixture).openSessionThrough(proxy.servers(), ZkFixture.TIMEOUTS))) {
            Versioned<StreamMetadata> head = get(stores.streams().create(Samples.stream("long", 1)));
            for (long first = 1; first <= SEGMENTS; first += StreamChange.SEGMENTS_MAX) {
                List<SegmentMetadata> some = LongStream.range(first, first + StreamChange.SEGMENTS_MAX)
                        .mapToObj(Samples::completed)
                        .toList();
                StreamMetadata next = Samples.next(head.value(), first + StreamChange.SEGMENTS_MAX, first + 1);
                head = get(stores.streams().commit(new StreamChange(next, head.version(), some, List.of())));
            }

            long listed = 0;
            Page<SegmentMetadata> page;
            do {
                page = get(stores.streams().segments("long", listed, 1_000));
                for (SegmentMetadata segment : page.items()) {
                    listed++;
                    assertThat(segment).isEqualTo(Samples.completed(listed));
                }
            } while (!page.isLast());

            assertThat(listed).isEqualTo(SEGMENTS);
            assertThat(proxy.largestRequestBytes()).isBetween(1, ZOOKEEPER_BYTES_MAX / 2);
            assertThat(proxy.largestAnswerBytes()).isBetween(1, ZOOKEEPER_BYTES_MAX / 8);
        }
    }
}
