// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

import io.daybook.protocol.EntryDigest;

/** How the bytes of a ledger's entries are checked end to end. */
public enum DigestType {
    /** CRC-32C (Castagnoli) over header and payload: 4 bytes. Finds damage, not forgery. */
    CRC32C(1, 4),
    /** HMAC-SHA-256 over header and payload with the ledger's key: 32 bytes. Finds forgery too. */
    HMAC_SHA256(2, 32);

    private final int number;
    private final int bytes;

    DigestType(int number, int bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    /** The number in metadata. */
    public int number() {
        return number;
    }

    /** Bytes of the digest in every entry. */
    public int bytes() {
        return bytes;
    }

    /** A digest of this type; the key is not used by a checksum. */
    public EntryDigest open(byte[] key) {
        return switch (this) {
            case CRC32C -> EntryDigest.crc32c();
            case HMAC_SHA256 -> EntryDigest.hmacSha256(key);
        };
    }
}
