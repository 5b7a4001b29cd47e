// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.model.monitor;

/** What somebody outside may see of one step of the model. */
enum Sight {
    SENT,
    COPY_SENT,
    PUBLISHED,
    STORED,
    COPIED,
    FENCED,
    DENIED,
    /** A fenced bookie is asked for an entry far beyond all. */
    DENIED_FAR_BEYOND,
    /** A bookie that the closed ledger does not name has given up what it had. */
    DENIED_AS_SURPLUS,
    /** A bookie tells its last add confirmed. */
    CONFIRMATION_TOLD,
    ACKNOWLEDGED_WHILE_OPEN,
    /** The writer might have waited for the whole write quorum. */
    ACKNOWLEDGED_WITH_ALL_COPIES,
    ACKNOWLEDGED_IN_RECOVERY,
    ACKNOWLEDGED_AFTER_CLOSE,
    ENSEMBLE_REPLACED,
    ENSEMBLE_ADDED,
    MARKED,
    CLOSED_BY_WRITER,
    CLOSED_BY_RECOVERY,
    CLOSED_WITH_PRIVATE_ENSEMBLE,
    /** Metadata refuses fragments out of order by itself. */
    REFUSED_BY_METADATA,
    /** The ledger is in recovery and its fragments change. */
    CHANGED_IN_RECOVERY
}
