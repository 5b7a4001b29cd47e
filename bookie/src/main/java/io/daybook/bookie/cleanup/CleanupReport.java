// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.cleanup;

import java.util.List;

/**
 * What cleanup has done since the bookie started.
 *
 * @param rounds that ended
 * @param ledgersBuried ledgers given up, gone and surplus ones
 * @param ledgersWaiting ledgers found gone or surplus once, not asked for a second time yet
 * @param logsRemoved logs that compaction has replaced
 * @param bytesCopied of entries, by compaction
 * @param logsKept logs that could not be compacted since the last major round because they cannot be read, in hex
 * @param lastFailure why a round ended early for the last time, empty if none did
 */
public record CleanupReport(
        long rounds,
        long ledgersBuried,
        long ledgersWaiting,
        long logsRemoved,
        long bytesCopied,
        List<String> logsKept,
        String lastFailure) {
    /** Copies the list. */
    public CleanupReport {
        logsKept = List.copyOf(logsKept);
    }
}
