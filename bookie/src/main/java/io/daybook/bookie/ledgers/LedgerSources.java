// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.cache.SlabCache;
import io.daybook.bookie.journal.Journals;

/** What the ledgers of one bookie stand on. */
public record LedgerSources(LedgerTable table, Journals journals, SlabCache cache, ColdReads coldReads) {}
