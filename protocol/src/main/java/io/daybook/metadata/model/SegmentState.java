// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

/** Where a log segment is in its life (S7). A segment that is gone has no record at all. */
public enum SegmentState {
    /** The newest segment; its ledger may still grow. */
    IN_PROGRESS,
    /** Its ledger is closed and its bounds never change. */
    COMPLETED,
    /** Wholly below the truncation point; readers are refused, its ledger is about to be deleted. */
    TRUNCATED
}
