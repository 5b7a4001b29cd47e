// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.simulated;

import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.testkit.check.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Watches every change of ledger metadata in a world: states only go forward, a closed end stays, fragments are replaced or appended at the end only (L4, L8, L13). */
public final class LedgerTransitions {
    private final List<Violation> violations = new ArrayList<>();

    private final Set<Long> deleted = new TreeSet<>();
    private final List<LongConsumer> ensembleListeners = new ArrayList<>();
    private final List<BiConsumer<LedgerMetadata, LedgerMetadata>> changeListeners = new ArrayList<>();
    private final List<Consumer<LedgerMetadata>> creationListeners = new ArrayList<>();

    LedgerTransitions() {}

    /** Tells {@code listener} the id of an open ledger whenever it gets another ensemble. */
    public void onEnsembleChange(LongConsumer listener) {
        ensembleListeners.add(listener);
    }

    /** Tells {@code listener} what every ledger was and is, whenever that changes. */
    public void onChange(BiConsumer<LedgerMetadata, LedgerMetadata> listener) {
        changeListeners.add(listener);
    }

    /** Tells {@code listener} what somebody is about to make. */
    public void onCreation(Consumer<LedgerMetadata> listener) {
        creationListeners.add(listener);
    }

    /** Whether the metadata of a ledger was removed; from then on bookies may forget it. */
    public boolean isDeleted(long ledgerId) {
        return deleted.contains(ledgerId);
    }

    /** What was wrong so far. */
    public List<Violation> violations() {
        return Collections.unmodifiableList(violations);
    }

    void creating(LedgerMetadata metadata) {
        creationListeners.forEach(listener -> listener.accept(metadata));
        require(metadata.state() == LedgerState.OPEN, metadata, "is created " + metadata.state());
    }

    void deleted(long ledgerId) {
        deleted.add(ledgerId);
    }

    void replaced(LedgerMetadata before, LedgerMetadata after) {
        changeListeners.forEach(listener -> listener.accept(before, after));
        boolean forward = before.state().compareTo(after.state()) <= 0;
        require(forward, after, "goes back from " + before.state() + " to " + after.state());
        require(before.quorums().equals(after.quorums()), after, "changes its quorums");
        if (before.state() == LedgerState.CLOSED) {
            boolean same = before.lastEntryId() == after.lastEntryId()
                    && before.lengthBytes() == after.lengthBytes()
                    && firstsOf(before).equals(firstsOf(after));
            require(same, after, "was closed at " + before.lastEntryId() + " and now ends at " + after.lastEntryId());
            return;
        }
        if (after.state() == LedgerState.OPEN && !before.fragments().equals(after.fragments())) {
            ensembleListeners.forEach(listener -> listener.accept(after.ledgerId()));
        }
        List<Fragment> kept = before.fragments().subList(0, before.fragments().size() - 1);
        boolean grows = after.fragments().size() >= before.fragments().size()
                && after.fragments().subList(0, kept.size()).equals(kept)
                && after.fragments().get(kept.size()).firstEntryId()
                        == before.lastFragment().firstEntryId();
        require(grows, after, "changes fragments other than the last: " + firstsOf(before) + " to " + firstsOf(after));
    }

    private static List<Long> firstsOf(LedgerMetadata metadata) {
        return metadata.fragments().stream().map(Fragment::firstEntryId).toList();
    }

    private void require(boolean condition, LedgerMetadata metadata, String wrong) {
        if (!condition) {
            violations.add(new Violation("metadata-transition", metadata.ledgerId(), -1, "metadata " + wrong));
        }
    }
}
