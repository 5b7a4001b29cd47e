// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The ledgers of a run, as those who made, closed and deleted them know. */
public final class Register {
    private final Set<Long> created = new TreeSet<>();
    private final Set<Long> ended = new TreeSet<>();
    private final Set<Long> closed = new TreeSet<>();
    private final Set<Long> deletionsBegun = new TreeSet<>();
    private final Set<Long> deleted = new TreeSet<>();
    private final Set<Long> awaitingAllCopies = new TreeSet<>();

    Register() {}

    void created(long ledgerId) {
        created.add(ledgerId);
    }

    /** Its appends are acknowledged when all their copies are made. */
    void awaitsAllCopies(long ledgerId) {
        awaitingAllCopies.add(ledgerId);
    }

    /** Whether its appends are acknowledged only when all their copies are made. */
    public boolean isAwaitingAllCopies(long ledgerId) {
        return awaitingAllCopies.contains(ledgerId);
    }

    /** Nobody writes it any more. */
    void ended(long ledgerId) {
        ended.add(ledgerId);
    }

    void closed(long ledgerId) {
        closed.add(ledgerId);
    }

    boolean isClosed(long ledgerId) {
        return closed.contains(ledgerId);
    }

    /** Somebody is about to delete it. */
    public void deletionBegun(long ledgerId) {
        deletionsBegun.add(ledgerId);
    }

    void deleted(long ledgerId) {
        deleted.add(ledgerId);
    }

    /** Whether somebody has begun to delete it. */
    public boolean isDeletionBegun(long ledgerId) {
        return deletionsBegun.contains(ledgerId);
    }

    /** The ledgers whose deletion succeeded. */
    public Set<Long> deleted() {
        return Collections.unmodifiableSet(deleted);
    }

    /** The ledgers that were made and that nobody has begun to delete. */
    public Set<Long> living() {
        Set<Long> living = new TreeSet<>(created);
        living.removeAll(deletionsBegun);
        return living;
    }

    /** The ledgers that may be deleted without hurting a writer. */
    List<Long> deletable() {
        return living(ended);
    }

    /** The ledgers that may be fenced. */
    List<Long> fenceable() {
        return living(created);
    }

    /** The ledgers that are closed and that nobody deletes. */
    List<Long> closed() {
        return living(closed);
    }

    private List<Long> living(Set<Long> some) {
        List<Long> living = new ArrayList<>(some);
        living.removeAll(deletionsBegun);
        return living;
    }
}
