// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

/** A record on its way into an entry; the bytes are no longer changed by anybody. */
public record RecordBytes(long transactionId, byte[] payload) {
    /** Bytes that the record takes in an entry, at most. */
    public int encodedBytesMax() {
        return payload.length + EntryFormat.RECORD_OVERHEAD_BYTES_MAX;
    }
}
