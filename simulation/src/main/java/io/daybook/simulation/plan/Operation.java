// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.plan;

/** What clients do in a plan beside writing, following and recovering ledgers. Each is left out of a plan with probability 1/2, as faults are. */
public enum Operation {
    /** Readers that follow a ledger now and then look beyond what is confirmed. */
    UNCONFIRMED_READS,
    /** Somebody reads here and there in ledgers that are closed. */
    CLOSED_READS,
    /** Somebody recovers ledgers that are closed, which changes nothing. */
    CLOSED_RECOVERIES,
    /** Somebody lists all ledgers, page by page. */
    LISTINGS,
    /** Somebody deletes ledgers that nobody writes any more. */
    DELETIONS,
    /** Somebody fences ledgers, also some that are being written, and decides no end. */
    FENCES,
    /** Somebody has every copy of ledgers that are closed checked. */
    VERIFICATIONS
}
