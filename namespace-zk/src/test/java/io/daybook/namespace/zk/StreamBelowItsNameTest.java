// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.StreamMetadataStore.StreamChange;
import io.daybook.metadata.contract.MetadataFixture;
import io.daybook.metadata.contract.Samples;
import io.daybook.metadata.contract.StoreContract;
import io.daybook.metadata.format.StreamFormat;
import io.daybook.metadata.format.SubscriptionFormat;
import io.daybook.metadata.model.StreamMetadata;
import io.daybook.metadata.model.SubscriptionMetadata;
import io.daybook.metadata.model.Versioned;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A stream that was made before streams could be renamed is read, changed and deleted where it stands: below its name. */
final class StreamBelowItsNameTest extends StoreContract {
    @RegisterExtension
    static final ZooKeeperExtension ZOOKEEPER = new ZooKeeperExtension();

    private static final StreamMetadata OLD = Samples.streamBelowName("old", 1);

    @Override
    protected MetadataFixture newFixture() {
        return new ZkFixture(ZOOKEEPER);
    }

    private static SubscriptionMetadata subscription() {
        return new SubscriptionMetadata("id", OLD.incarnation(), 1, 4, 5, 0, "", 1, 2, Samples.token(9));
    }

    /** The nodes as they were written then. */
    private void plantOld() {
        ZkFixture zk = (ZkFixture) fixture;
        String path =
                zk.paths().root() + "/streams/" + String.format("%03x", io.daybook.metadata.StreamNames.bucket("old"));
        zk.plant(path, new byte[0]);
        zk.plant(path + "/old", StreamFormat.encode(Samples.next(OLD, 2, 2)));
        zk.plant(path + "/old/i-" + OLD.incarnation().hex(), new byte[0]);
        zk.plant(path + "/old/s0000000000000000/1", StreamFormat.encodeSegment(Samples.completed(1)));
        zk.plant(path.replace("/streams/", "/subscriptions/") + "/old/id", SubscriptionFormat.encode(subscription()));
    }

    @Test
    void itIsReadChangedAndDeletedAsEver() {
        plantOld();

        Versioned<StreamMetadata> head = get(mine.streams().read("old"));
        assertThat(head.value().home().isBelowName()).isTrue();
        assertThat(head.value().identity()).isEqualTo(OLD.incarnation());
        assertThat(get(mine.streams().segments("old", 0, 10)).items()).containsExactly(Samples.completed(1));
        assertThat(refusal(mine.streams().nameOf(OLD.incarnation()))).isEqualTo(Code.NOT_FOUND);
        assertThat(get(mine.subscriptions().read(head.value(), "id")).value()).isEqualTo(subscription());
        assertThat(get(mine.subscriptions().list(head.value(), "", 10)).items()).containsExactly("id");

        StreamChange change = new StreamChange(
                Samples.next(head.value(), 3, 3), head.version(), List.of(Samples.segment(2)), List.of(1L));
        Versioned<StreamMetadata> changed = get(others.streams().commit(change));
        assertThat(get(mine.streams().segments("old", 0, 10)).items()).containsExactly(Samples.segment(2));
        assertThat(refusal(mine.streams().delete("old", changed.version()))).isEqualTo(Code.VERSION_CONFLICT);
        StreamChange emptying =
                new StreamChange(Samples.next(changed.value(), 3, 4), changed.version(), List.of(), List.of(2L));
        Versioned<StreamMetadata> emptied = get(others.streams().commit(emptying));
        get(others.subscriptions().delete(emptied.value(), "id"));
        get(others.streams().delete("old", emptied.version()));

        assertThat(refusal(mine.streams().read("old"))).isEqualTo(Code.NOT_FOUND);
        assertThat(get(mine.streams().create(Samples.stream("old", 5))).value().originSegmentNumber())
                .isEqualTo(4);
    }
}
