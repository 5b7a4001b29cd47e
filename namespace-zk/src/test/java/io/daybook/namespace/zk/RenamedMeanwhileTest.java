// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.StreamMetadataStore.NewName;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.metadata.model.SegmentMetadata;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.namespace.zk.LossyProxy.Lost;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others do to a stream between two requests of one call that renames it, or that knows it under the name before (S14, M2). */
final class RenamedMeanwhileTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private static final StreamMetadata STREAM = Samples.stream("s", 1);
    private static final NewName TO = new NewName("t", Samples.token(61));

    private LossyProxy proxy;
    private ZkMetadataStores slow;
    private ZkPaths paths;

    @Override
    protected MetadataFixture newFixture() {
        return new ZkFixture(ZOOKEEPER);
    }

    @BeforeEach
    void openThroughProxy() throws Exception {
        proxy = new LossyProxy(ZOOKEEPER.server().getPort());
        ZkFixture zk = (ZkFixture) fixture;
        paths = zk.paths();
        slow = new ZkMetadataStores(zk.openSessionThrough(proxy.servers(), ZkFixture.TIMEOUTS));
    }

    @AfterEach
    void closeProxy() throws Exception {
        slow.close();
        proxy.close();
    }

    private static StreamChange change(Versioned<StreamMetadata> head, long next, List<SegmentMetadata> puts) {
        return new StreamChange(Samples.next(head.value(), next, 70 + next), head.version(), puts, List.of());
    }

    @Test
    void renameThatWasAnsweredIsDoneWhateverBecomesOfTheStreamThen() {
        Versioned<StreamMetadata> head = get(mine.streams().create(STREAM));
        proxy.loseNextReading(paths.stream("t"), () -> {
            Versioned<StreamMetadata> there = get(mine.streams().read("t"));
            get(mine.streams().rename(change(there, 1, List.of()), new NewName("u", Samples.token(62))));
        });

        Versioned<StreamMetadata> moved = get(slow.streams().rename(change(head, 1, List.of()), TO));

        assertThat(moved.value().name()).isEqualTo("t");
        assertThat(get(mine.streams().read("t"))).isEqualTo(moved);
    }

    @Test
    void renameOfAStreamThatAnotherChangedMeanwhileIsSurelyNotDone() {
        Versioned<StreamMetadata> head = get(mine.streams().create(STREAM));
        proxy.loseNext(Lost.REQUEST, paths.stream("t"), () -> get(mine.streams().commit(change(head, 2, List.of()))));

        assertThat(refusal(slow.streams().rename(change(head, 1, List.of()), TO)))
                .isEqualTo(Code.VERSION_CONFLICT);

        assertThat(proxy.losses()).isOne();
        assertThat(refusal(mine.streams().read("t"))).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void segmentsThatWereBegunUnderANewNameMeanwhileHaveNoNumbersUnderTheOldOne() {
        Versioned<StreamMetadata> created = get(mine.streams().create(STREAM));
        Versioned<StreamMetadata> head = get(mine.streams().commit(change(created, 2, List.of(Samples.segment(1)))));
        proxy.loseNextListing(paths.home(STREAM.identity()), () -> {
            Versioned<StreamMetadata> there = get(mine.streams().rename(change(head, 2, List.of()), TO));
            get(mine.streams()
                    .commit(change(there, 5, List.of(Samples.segment(2), Samples.segment(3), Samples.segment(4)))));
            // The numbers of the old name go on where they were when it was left.
            assertThat(get(mine.streams().create(Samples.stream("s", 4)))
                            .value()
                            .originSegmentNumber())
                    .isEqualTo(3);
        });

        assertThat(get(slow.streams().segments("s", 0, 10)).items()).allMatch(segment -> segment.number() < 3);

        assertThat(proxy.losses()).isOne();
        assertThat(get(slow.streams().segments("t", 0, 10)).items()).hasSize(4);
    }
}
