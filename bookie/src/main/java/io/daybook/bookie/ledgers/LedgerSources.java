// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.ledgers;

import io.daybook.bookie.cache.SlabCache;
import io.daybook.bookie.journal.Journal;

/** What the ledgers of one core loop stand on. */
public record LedgerSources(LedgerTable table, Journal journal, SlabCache cache, ColdReads coldReads) {}
