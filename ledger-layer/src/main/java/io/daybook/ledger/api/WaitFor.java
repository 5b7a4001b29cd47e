// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

/** For how many durable copies the acknowledgement of an append waits. */
public enum WaitFor {
    /** For Qa copies: an entry survives the loss of any Qa - 1 of its bookies from the acknowledgement on, and more once the other copies are made. */
    ACK_QUORUM,
    /**
     * For all Qw copies: an entry survives the loss of any Qw - 1 of its bookies from the acknowledgement on. An append waits while a bookie of its write set
     * is replaced, and the writer fails when there is no spare. Recovery is as without it: it needs Qw - Qa + 1 bookies of each write set.
     */
    WRITE_QUORUM
}
