// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

/** A record on its way into an entry. */
public final class RecordBytes {
    private final long transactionId;
    private final byte[] payload;

    /** Keeps the array, which nobody changes any more. */
    public RecordBytes(long transactionId, byte[] payload) {
        this.transactionId = transactionId;
        this.payload = payload;
    }

    /** The application's own position. */
    public long transactionId() {
        return transactionId;
    }

    byte[] payload() {
        return payload;
    }

    /** Bytes that the record takes in an entry, at most. */
    public int encodedBytesMax() {
        return payload.length + EntryFormat.RECORD_OVERHEAD_BYTES_MAX;
    }
}
