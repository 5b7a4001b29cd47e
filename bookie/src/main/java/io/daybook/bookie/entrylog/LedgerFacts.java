// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.entrylog;

/**
 * What a bookie must not forget of a ledger beside its entries (B3, B7).
 *
 * @param lastAddConfirmed the highest that was carried by an entry or published, -1 for none
 * @param lastEntryId the highest entry id held, -1 for none
 * @param limbo how often limbo began and ended, so that of two values the higher is the later one: odd while entries of the ledger may have been
 *     lost here, so that nothing of it is called absent (B6); 0 when that never was so
 * @param buriedAt the journal incarnation in which the ledger's entries were given up for the last time: those in older logs are dead; 0 when they
 *     never were
 */
public record LedgerFacts(
        long ledgerId, boolean fenced, long lastAddConfirmed, long lastEntryId, int limbo, int buriedAt) {
    private static final int LIMBO_SHIFT = 32;

    /** Facts of a ledger that never was in limbo or given up. */
    public LedgerFacts(long ledgerId, boolean fenced, long lastAddConfirmed, long lastEntryId) {
        this(ledgerId, fenced, lastAddConfirmed, lastEntryId, 0, 0);
    }

    /** With {@link #fenced}, {@link #limbo} and {@link #buriedAt} as {@link #flags} gave them. */
    public static LedgerFacts ofFlags(long ledgerId, long lastAddConfirmed, long lastEntryId, long flags) {
        return new LedgerFacts(
                ledgerId,
                (flags & 1) != 0,
                lastAddConfirmed,
                lastEntryId,
                (int) (flags >>> LIMBO_SHIFT),
                (int) flags >>> 1);
    }

    /** What these facts and others about the same ledger say together. */
    public LedgerFacts join(LedgerFacts other) {
        return new LedgerFacts(
                ledgerId,
                fenced || other.fenced,
                Math.max(lastAddConfirmed, other.lastAddConfirmed),
                Math.max(lastEntryId, other.lastEntryId),
                Math.max(limbo, other.limbo),
                Math.max(buriedAt, other.buriedAt));
    }

    /** Fenced in the lowest bit, the incarnation of the burial in the 31 above it, limbo in the upper half, as they stand in files. */
    public long flags() {
        return (fenced ? 1 : 0) | ((long) buriedAt << 1) | (long) limbo << LIMBO_SHIFT;
    }
}
