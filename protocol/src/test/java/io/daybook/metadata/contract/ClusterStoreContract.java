// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.metadata.MetadataException.Code;
import io.daybook.metadata.format.ClusterFormat;
import io.daybook.metadata.model.ClusterInfo;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every {@code ClusterStore} promises. */
public abstract class ClusterStoreContract extends StoreContract {
    private static final ClusterInfo INFO = new ClusterInfo(Samples.CLUSTER, 1_700_000_000_000L);

    @Test
    protected void clusterIsReadBackByEverybody() {
        get(mine.cluster().initialize(INFO));

        assertThat(get(mine.cluster().read())).isEqualTo(INFO);
        assertThat(get(others.cluster().read())).isEqualTo(INFO);
    }

    @Test
    protected void clusterThatWasNeverInitialisedIsNotFound() {
        assertThat(refusal(mine.cluster().read())).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    protected void clusterIsInitialisedOnce() {
        ClusterInfo another = new ClusterInfo(Samples.CLUSTER, 5);
        get(mine.cluster().initialize(INFO));

        assertThat(refusal(others.cluster().initialize(another))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(refusal(mine.cluster().initialize(INFO))).isEqualTo(Code.ALREADY_EXISTS);
        assertThat(get(mine.cluster().read())).isEqualTo(INFO);
    }

    @Test
    protected void unreadableClusterIsNeitherAbsentNorReplaced() {
        // M6
        for (byte[] value : unreadable(ClusterFormat.encode(INFO))) {
            fixture.plantCluster(value);

            assertThat(refusal(mine.cluster().read())).isEqualTo(Code.UNREADABLE);
            assertThat(refusal(mine.cluster().initialize(INFO))).isEqualTo(Code.ALREADY_EXISTS);
        }
    }

    /** Values that nobody can read: none, noise, a cut one. */
    static List<byte[]> unreadable(byte[] readable) {
        byte[] cut = new byte[readable.length / 2];
        System.arraycopy(readable, 0, cut, 0, cut.length);
        return List.of(new byte[0], new byte[] {1, 2, 3}, cut, new byte[200]);
    }

    @Test
    protected void closedStoresRefuseEverything() {
        mine.close();
        mine.close();

        List<CompletableFuture<?>> calls = Stream.<CompletableFuture<?>>of(
                        mine.cluster().read(),
                        mine.cluster().initialize(INFO),
                        mine.ledgers().read(1),
                        mine.ledgers().list(-1, 10),
                        mine.ledgerIds().next(),
                        mine.bookies().live(),
                        mine.streams().read("a"))
                .toList();

        assertThat(calls).allSatisfy(call -> assertThat(refusal(call)).isEqualTo(Code.CLOSED));
        mine.ledgers().watch(1, () -> {}).close();
        assertThat(refusal(others.cluster().read())).isEqualTo(Code.NOT_FOUND);
    }
}
