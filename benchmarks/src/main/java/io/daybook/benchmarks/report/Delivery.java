// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.report;

/**
 * What a reader got that follows the writer.
 *
 * @param records read in the whole run
 * @param missing acknowledged and not read long after the run
 * @param misplaced read after another one than was appended before it, or with other bytes
 * @param readerFailure why the reader gave up before it had everything; empty when it did not
 * @param sinceAppendMicros of what was appended in the part that counts: from the due time in an open loop, else from the call, until the reader had it
 * @param sinceAcknowledgedMicros from the acknowledgement until the reader had it; next to nothing when the reader was first
 */
public record Delivery(
        long records,
        long missing,
        long misplaced,
        String readerFailure,
        Latency sinceAppendMicros,
        Latency sinceAcknowledgedMicros) {
    /** Whether every record that was acknowledged was read, in order. */
    public boolean isComplete() {
        return missing == 0 && misplaced == 0 && readerFailure.isEmpty();
    }
}
