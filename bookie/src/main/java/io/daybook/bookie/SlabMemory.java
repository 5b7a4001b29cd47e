// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import io.daybook.bookie.cache.Slab;
import io.daybook.runtime.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slabs of a bookie's journals. To get some hundred megabytes zeroed takes a good part of a start, so it is done beside the recovery, on a loop that
 * has nothing else to do then.
 *
 * <p>The recovery needs memory for the image of a journal file at the same time. Where there is not enough for both, the slabs are allocated after it: they are
 * let go if it was the recovery that found none.
 *
 * <p><i>Threading:</i> as said at each method.
 */
final class SlabMemory {
    private static final Logger LOG = LoggerFactory.getLogger(SlabMemory.class);

    private final BookieConfig config;
    private final Directories directories;
    private volatile boolean isLetGo;

    /** Of what a configuration says, for the journals in those directories. */
    SlabMemory(BookieConfig config, Directories directories) {
        this.config = config;
        this.directories = directories;
    }

    /** The slabs of each journal, allocated on {@code loop}; empty when there is not enough memory now, or they were let go. */
    CompletableFuture<List<List<Slab>>> beside(EventLoop loop) {
        CompletableFuture<List<List<Slab>>> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(allocate(() -> isLetGo));
            } catch (OutOfMemoryError none) {
                result.complete(List.of());
                LOG.debug("state=NO_MEMORY slabs are allocated after the recovery: {}", none.getMessage());
            } catch (Throwable bug) {
                // Whoever waits for the slabs would wait for ever.
                result.completeExceptionally(bug);
            }
        });
        return result;
    }

    /** What is being allocated beside the recovery is not wanted any more. From any thread. */
    void letGo() {
        isLetGo = true;
    }

    /** The slabs of each journal, allocated now. Throws {@link BookieStartException} when there is not enough memory. */
    List<List<Slab>> now() {
        try {
            return allocate(() -> false);
        } catch (OutOfMemoryError none) {
            throw new BookieStartException(
                    ExitCode.MEMORY,
                    config.slabCount() * directories.journalCount().count() + " slabs of " + config.slabBytes()
                            + " bytes do not fit into memory: set bookie.slab-bytes or bookie.slab-count lower, or"
                            + " give the process more with -XX:MaxDirectMemorySize",
                    none);
        }
    }

    private List<List<Slab>> allocate(BooleanSupplier isUnwanted) {
        List<List<Slab>> slabs = new ArrayList<>();
        for (Directories.Directory journal : directories.journals()) {
            List<Slab> own = new ArrayList<>();
            for (int i = 0; i < config.slabCount(); i++) {
                if (isUnwanted.getAsBoolean()) {
                    return List.of();
                }
                own.add(Slab.allocate(config.slabBytes(), journal.disk().blockBytes()));
            }
            slabs.add(own);
        }
        return slabs;
    }
}
