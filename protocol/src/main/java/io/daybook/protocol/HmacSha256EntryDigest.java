// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/** The HMAC-SHA-256 of an entry under the key of its ledger. */
final class HmacSha256EntryDigest extends EntryDigest {
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;
    private final byte[] computed = new byte[EntryLayout.DIGEST_BYTES_MAX];
    private final byte[] stored = new byte[EntryLayout.DIGEST_BYTES_MAX];

    HmacSha256EntryDigest(byte[] key) {
        if (key.length == 0) {
            throw new IllegalArgumentException("the key of an HMAC digest is empty: give at least one byte");
        }
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, impossible);
        }
    }

    @Override
    public int bytes() {
        return EntryLayout.DIGEST_BYTES_MAX;
    }

    @Override
    void reset() {
        mac.reset();
    }

    @Override
    void update(byte[] bytes, int offset, int length) {
        mac.update(bytes, offset, length);
    }

    @Override
    void update(ByteBuffer bytes) {
        mac.update(bytes);
    }

    @Override
    void store(ByteBuf entry, int at) {
        entry.setBytes(at, result());
    }

    @Override
    boolean matches(ByteBuf entry, int at) {
        entry.getBytes(at, stored);
        return MessageDigest.isEqual(result(), stored);
    }

    private byte[] result() {
        try {
            mac.doFinal(computed, 0);
        } catch (ShortBufferException impossible) {
            throw new IllegalStateException("the result of " + ALGORITHM + " has 32 bytes", impossible);
        }
        return computed;
    }
}
