// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The index of one ledger in a slab, against a sorted map. */
final class SlabEntriesTest {
    @Test
    void consecutiveEntriesAreFoundByTheirIds() {
        SlabEntries entries = new SlabEntries();
        for (int i = 0; i < 100; i++) {
            entries.add(40 + i, 8 * i);
        }

        assertThat(entries.count()).isEqualTo(100);
        assertThat(entries.offset(entries.find(139))).isEqualTo(8 * 99);
        assertThat(entries.find(39)).isNegative();
        assertThat(entries.find(140)).isNegative();
    }

    @Test
    void anyOrderOfEntriesEndsUpSorted() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SlabEntries entries = new SlabEntries();
            TreeMap<Long, Integer> model = new TreeMap<>();
            for (int i = 0; i < 60; i++) {
                long entryId = random.nextInt(3) == 0 ? random.nextInt(200) : 1000 + i;
                if (model.putIfAbsent(entryId, i * 8) == null) {
                    entries.add(entryId, i * 8);
                }
            }
            assertThat(entries.count()).isEqualTo(model.size());
            int slot = 0;
            for (long entryId : model.keySet()) {
                assertThat(entries.entryId(slot)).isEqualTo(entryId);
                assertThat(entries.offset(slot)).isEqualTo(model.get(entryId));
                assertThat(entries.find(entryId)).isEqualTo(slot++);
            }
            assertThat(entries.find(500)).isNegative();
        }
    }
}
