// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

/** Bounds that both ends of a link rely on. */
public final class Limits {
    /** Bytes of payload an entry may have: a record of the stream layer (2 MiB) fits with its own header. */
    public static final int ENTRY_PAYLOAD_BYTES_MAX = 2 * 1024 * 1024 + 64 * 1024;

    /** Bytes of a whole entry: header, longest digest and payload. */
    public static final int ENTRY_BYTES_MAX =
            EntryLayout.HEADER_BYTES + EntryLayout.DIGEST_BYTES_MAX + ENTRY_PAYLOAD_BYTES_MAX;

    /** Bytes of a frame once the handshake is done. */
    public static final int FRAME_BYTES_MAX = ENTRY_BYTES_MAX + 64 * 1024;

    /** Entries of one answer to a range read. */
    public static final int READ_COUNT_MAX = 10_000;

    /** Bytes of entries in one answer to a range read; a single larger entry is still answered. */
    public static final int READ_BYTES_MAX = 1024 * 1024;

    /** Bookies in an ensemble. */
    public static final int ENSEMBLE_MAX = 32;

    /**
     * Fragments after which a writer changes the ensemble of its ledger no more: in the widest ensembles its metadata then take half of what a metadata store takes in one
     * request.
     */
    public static final int FRAGMENTS_MAX = 1_000;

    /** The entry id that means "none yet". */
    public static final long NO_ENTRY_ID = -1L;

    private Limits() {}
}
