// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

import io.daybook.protocol.Limits;

/**
 * How a ledger is replicated.
 *
 * @param ensembleSize bookies over which entries are striped (E)
 * @param writeQuorum copies of each entry (Qw)
 * @param ackQuorum durable copies before an add is acknowledged (Qa)
 */
public record Quorums(int ensembleSize, int writeQuorum, int ackQuorum) {
    /** Three bookies, three copies, acknowledged after two. */
    public static final Quorums DEFAULT = new Quorums(3, 3, 2);

    /** Throws {@link IllegalArgumentException} unless 1 &lt;= Qa &lt;= Qw &lt;= E &lt;= {@link Limits#ENSEMBLE_MAX}. */
    public Quorums {
        if (ackQuorum < 1
                || ackQuorum > writeQuorum
                || writeQuorum > ensembleSize
                || ensembleSize > Limits.ENSEMBLE_MAX) {
            throw new IllegalArgumentException("quorums " + ensembleSize + "/" + writeQuorum + "/" + ackQuorum
                    + " do not hold 1 <= ack quorum <= write quorum <= ensemble <= " + Limits.ENSEMBLE_MAX);
        }
    }

    /** Members of a write set that must be fenced, or must deny an entry, before its absence is certain: Qw - Qa + 1. */
    public int cover() {
        return writeQuorum - ackQuorum + 1;
    }

    @Override
    public String toString() {
        return ensembleSize + "/" + writeQuorum + "/" + ackQuorum;
    }
}
