// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.index.ColdRead;
import java.util.function.Consumer;

/** Carries out reads of flushed entries elsewhere and hands them back on the core loop. */
@FunctionalInterface
public interface ColdReads {
    /** Begins a read; {@code done} is called later, once, on the core loop. */
    void begin(ColdRead read, Consumer<ColdRead> done);
}
