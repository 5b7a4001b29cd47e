// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

/**
 * What one pass of a maintainer did.
 *
 * @param streams how many streams it looked at
 * @param deletionsFinished half-deleted streams that are gone now
 * @param truncations streams whose retention let something go
 * @param orphansDeleted ledgers of no stream that were deleted
 * @param failures streams or ledgers that could not be dealt with; the next pass tries again
 */
public record MaintenanceReport(
        long streams, long deletionsFinished, long truncations, long orphansDeleted, long failures) {
    /** Nothing yet. */
    static final MaintenanceReport NONE = new MaintenanceReport(0, 0, 0, 0, 0);

    /** Whether it changed anything or could not. */
    boolean isWorthTelling() {
        return deletionsFinished + truncations + orphansDeleted + failures > 0;
    }

    MaintenanceReport withStream(StreamCare.Done done) {
        return new MaintenanceReport(
                streams + 1,
                deletionsFinished + (done == StreamCare.Done.DELETED ? 1 : 0),
                truncations + (done == StreamCare.Done.TRUNCATED ? 1 : 0),
                orphansDeleted,
                failures);
    }

    MaintenanceReport withOrphans(long count) {
        return new MaintenanceReport(streams, deletionsFinished, truncations, orphansDeleted + count, failures);
    }

    MaintenanceReport withFailure() {
        return new MaintenanceReport(streams, deletionsFinished, truncations, orphansDeleted, failures + 1);
    }
}
