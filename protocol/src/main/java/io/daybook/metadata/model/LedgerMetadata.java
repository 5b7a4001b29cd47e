// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything the metadata store knows of a ledger. Immutable; the {@code with…} methods make the next value.
 *
 * @param lastEntryId the end of a {@link LedgerState#CLOSED} ledger, -1 when it is empty; -1 otherwise
 * @param lengthBytes payload bytes of a closed ledger; 0 otherwise
 * @param fragments in order of their first entry ids; never empty; the first begins at 0 (L8)
 * @param custom the creator's own text pairs, in the order of their keys
 * @param createdMillis wall-clock time of creation, for display only
 * @param token the token of the write that stored this value
 */
public record LedgerMetadata(
        long ledgerId,
        Quorums quorums,
        DigestType digest,
        LedgerState state,
        long lastEntryId,
        long lengthBytes,
        List<Fragment> fragments,
        Map<String, String> custom,
        long createdMillis,
        WriteToken token) {
    /** Copies the collections and checks L8; throws {@link IllegalArgumentException} that names what is wrong. */
    public LedgerMetadata {
        fragments = List.copyOf(fragments);
        custom = Collections.unmodifiableMap(new TreeMap<>(custom));
        check(ledgerId >= 0, ledgerId, "a negative id");
        check(!fragments.isEmpty() && fragments.get(0).firstEntryId() == 0, ledgerId, "no fragment that begins at 0");
        for (int i = 0; i < fragments.size(); i++) {
            Fragment fragment = fragments.get(i);
            check(fragment.ensemble().size() == quorums.ensembleSize(), ledgerId, "an ensemble of the wrong size");
            check(
                    fragment.ensemble().stream().distinct().count() == quorums.ensembleSize(),
                    ledgerId,
                    "a bookie twice in one ensemble");
            check(
                    i == 0 || fragments.get(i - 1).firstEntryId() < fragment.firstEntryId(),
                    ledgerId,
                    "fragments that do not rise");
        }
        boolean closed = state == LedgerState.CLOSED;
        check(
                closed || (lastEntryId == Limits.NO_ENTRY_ID && lengthBytes == 0),
                ledgerId,
                "an end although it is not closed");
        check(
                !closed
                        || (lastEntryId >= Limits.NO_ENTRY_ID
                                && lengthBytes >= 0
                                && fragments.get(fragments.size() - 1).firstEntryId() <= lastEntryId + 1),
                ledgerId,
                "an end below its last fragment");
    }

    private static void check(boolean condition, long ledgerId, String wrong) {
        if (!condition) {
            throw new IllegalArgumentException("metadata of ledger " + ledgerId + " has " + wrong);
        }
    }

    /** The fragment that keeps {@code entryId} (0 or more). */
    public Fragment fragmentOf(long entryId) {
        for (int i = fragments.size() - 1; i > 0; i--) {
            if (fragments.get(i).firstEntryId() <= entryId) {
                return fragments.get(i);
            }
        }
        return fragments.get(0);
    }

    /** The newest fragment. */
    public Fragment lastFragment() {
        return fragments.get(fragments.size() - 1);
    }

    /** The same ledger with its token replaced. */
    public LedgerMetadata withToken(WriteToken next) {
        return new LedgerMetadata(
                ledgerId, quorums, digest, state, lastEntryId, lengthBytes, fragments, custom, createdMillis, next);
    }

    /** The same ledger in recovery. */
    public LedgerMetadata withRecovery(WriteToken next) {
        return new LedgerMetadata(
                ledgerId, quorums, digest, LedgerState.IN_RECOVERY, -1, 0, fragments, custom, createdMillis, next);
    }

    /** The same ledger, closed at an end, with the fragments that recovery or the writer ended with. */
    public LedgerMetadata withClosed(long end, long length, List<Fragment> finalFragments, WriteToken next) {
        return new LedgerMetadata(
                ledgerId,
                quorums,
                digest,
                LedgerState.CLOSED,
                end,
                length,
                finalFragments,
                custom,
                createdMillis,
                next);
    }

    /** The same ledger with an ensemble from {@code firstEntryId} on: replaces the last fragment if it begins there, else follows it (L8). */
    public LedgerMetadata withEnsemble(long firstEntryId, List<BookieId> ensemble, WriteToken next) {
        List<Fragment> changed = new ArrayList<>(fragments);
        if (lastFragment().firstEntryId() == firstEntryId) {
            changed.remove(changed.size() - 1);
        }
        changed.add(new Fragment(firstEntryId, ensemble));
        return new LedgerMetadata(
                ledgerId, quorums, digest, state, lastEntryId, lengthBytes, changed, custom, createdMillis, next);
    }
}
