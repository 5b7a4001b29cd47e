// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.api;

/** The secret key of an HMAC digest. Its text form never shows it. */
public final class DigestKey {
    /** No key: for digests that need none. */
    public static final DigestKey NONE = new DigestKey(new byte[0]);

    private final byte[] bytes;

    private DigestKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Copies the bytes.
     *
     * @param bytes at least 16
     * @return the key
     * @throws IllegalArgumentException when there are fewer
     */
    public static DigestKey of(byte[] bytes) {
        if (bytes.length < 16) {
            throw new IllegalArgumentException("a digest key needs at least 16 bytes, not " + bytes.length);
        }
        return new DigestKey(bytes.clone());
    }

    /** {@return a copy of the bytes} */
    public byte[] copyOfBytes() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return bytes.length == 0 ? "none" : "***";
    }
}
