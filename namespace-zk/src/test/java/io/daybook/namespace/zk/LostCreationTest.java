// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.Versioned;
import io.daybook.namespace.zk.LossyProxy.Lost;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S14, M2: what becomes of the creation of a stream whose request or answer is lost while a stream of the name is deleted. */
final class LostCreationTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private LossyProxy proxy;
    private MetadataStores losing;
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
        losing = new ZkMetadataStores(zk.openSessionThrough(proxy.servers(), ZkFixture.TIMEOUTS));
    }

    @AfterEach
    void closeProxy() throws Exception {
        losing.close();
        proxy.close();
    }

    /** So that the first try of a creation can be made. */
    private void plantHome(long token) {
        ZkFixture zk = (ZkFixture) fixture;
        zk.plant(ZkPaths.bucket(paths.home(Samples.stream("s", token).identity())), new byte[0]);
    }

    @Test
    void streamMadeAfterOneThatWentMeanwhileHasNumbersAboveIts() {
        // S14: the bucket had another value when the lost request was made
        get(mine.streams().create(Samples.stream("s", 1)));
        plantHome(3);
        proxy.loseNext(Lost.REQUEST, paths.stream("s"), this::growAndDelete);

        Versioned<StreamMetadata> created = get(losing.streams().create(Samples.stream("s", 3)));

        assertThat(proxy.losses()).isOne();
        assertThat(created.value()).isEqualTo(Samples.stream("s", 3).numberedFrom(10));
        assertThat(get(mine.streams().read("s"))).isEqualTo(created);
    }

    // M2, S14: it may have been ours, whose incarnation would stand for two streams.
    @ParameterizedTest
    @EnumSource
    void streamThatCameAndWentBeforeAnybodyKnewOfItIsNotMadeAgain(Lost lost) {
        plantHome(2);
        proxy.loseNext(lost, paths.stream("s"), () -> {
            if (lost == Lost.REQUEST) {
                get(mine.streams().create(Samples.stream("s", 3)));
            }
            growAndDelete();
        });

        assertThat(refusal(losing.streams().create(Samples.stream("s", 2)))).isEqualTo(Code.OUTCOME_UNKNOWN);

        assertThat(proxy.losses()).isOne();
        assertThat(refusal(mine.streams().read("s"))).isEqualTo(Code.NOT_FOUND);
    }

    // M2, S14: also when it had no segment yet.
    @ParameterizedTest
    @EnumSource
    void streamThatCameAndWentEmptyBeforeAnybodyKnewOfItIsNotMadeAgain(Lost lost) {
        plantHome(2);
        proxy.loseNext(lost, paths.stream("s"), () -> {
            if (lost == Lost.REQUEST) {
                get(mine.streams().create(Samples.stream("s", 3)));
            }
            get(mine.streams().delete("s", get(mine.streams().read("s")).version()));
        });

        assertThat(refusal(losing.streams().create(Samples.stream("s", 2)))).isEqualTo(Code.OUTCOME_UNKNOWN);

        assertThat(refusal(mine.streams().read("s"))).isEqualTo(Code.NOT_FOUND);
    }

    private void growAndDelete() {
        Versioned<StreamMetadata> head = get(mine.streams().read("s"));
        StreamChange growth = new StreamChange(Samples.next(head.value(), 9, 20), head.version(), List.of(), List.of());
        get(mine.streams().delete("s", get(mine.streams().commit(growth)).version()));
    }
}
