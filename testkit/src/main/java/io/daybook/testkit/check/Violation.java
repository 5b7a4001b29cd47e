// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

/**
 * Something that must not happen and did.
 *
 * @param check the name of the check, as in docs/INVARIANTS.md
 * @param ledgerId the ledger concerned, -1 for none
 * @param entryId the entry concerned, -1 for none
 * @param text what happened, in one line
 */
public record Violation(String check, long ledgerId, long entryId, String text) {
    @Override
    public String toString() {
        return check + ": " + (ledgerId < 0 ? "" : "ledger=" + ledgerId + " entry=" + entryId + ' ') + text;
    }
}
