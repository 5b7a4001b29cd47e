// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.bookie.cache.Slab;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Uses that the tests' virtual machine has 1 GiB for all direct memory, which one slab of that size with its alignment exceeds. */
class SlabMemoryTest {
    private final SimulatedBookie one = new SimulatedBookie(1).format();

    @Test
    void everyJournalGetsItsSlabsOfTheConfiguredSize() {
        List<List<Slab>> slabs = beside(SimulatedBookie.SLAB_BYTES);

        assertThat(slabs)
                .singleElement()
                .satisfies(own -> assertThat(own)
                        .hasSize(3)
                        .allSatisfy(slab -> assertThat(slab.bytes().capacity()).isEqualTo(SimulatedBookie.SLAB_BYTES)));
    }

    @Test
    void slabsThatDoNotFitBesideTheRecoveryAreLeftForLater() {
        assertThat(beside(1 << 30)).isEmpty();
    }

    @Test
    void slabsThatWereLetGoAreNotAllocated() {
        EventLoop loop = one.machine.host().newLoop("slabs", Host.LoopKind.STORAGE);
        try (Directories directories = Directories.open(one.config, one.machine.host(), false)) {
            SlabMemory memory = new SlabMemory(one.config, directories);
            CompletableFuture<List<List<Slab>>> slabs = memory.beside(loop);

            memory.letGo();

            one.until(slabs::isDone);
            assertThat(slabs.join()).isEmpty();
            assertThat(memory.now())
                    .singleElement()
                    .satisfies(own -> assertThat(own).hasSize(3));
        }
    }

    @Test
    void slabsThatDoNotFitAtAllEndTheStartWithTheSettingsThatHelp() {
        BookieConfig config = one.config.withSlabs(1 << 30, 3);
        try (Directories directories = Directories.open(config, one.machine.host(), false)) {
            assertThatThrownBy(() -> new SlabMemory(config, directories).now())
                    .isInstanceOfSatisfying(
                            BookieStartException.class,
                            refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.MEMORY))
                    .hasMessageContaining("bookie.slab-bytes")
                    .hasMessageContaining("MaxDirectMemorySize");
        }
    }

    private List<List<Slab>> beside(int slabBytes) {
        BookieConfig config = one.config.withSlabs(slabBytes, 3);
        EventLoop loop = one.machine.host().newLoop("slabs", Host.LoopKind.STORAGE);
        try (Directories directories = Directories.open(config, one.machine.host(), false)) {
            CompletableFuture<List<List<Slab>>> slabs = new SlabMemory(config, directories).beside(loop);
            one.until(slabs::isDone);
            return slabs.join();
        }
    }
}
