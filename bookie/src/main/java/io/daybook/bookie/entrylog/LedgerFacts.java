// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

/**
 * What a bookie must not forget of a ledger beside its entries (B3, B7).
 *
 * @param lastAddConfirmed the highest that was carried by an entry or published, -1 for none
 * @param lastEntryId the highest entry id held, -1 for none
 */
public record LedgerFacts(long ledgerId, boolean fenced, long lastAddConfirmed, long lastEntryId) {}
