// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.local;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What passed by so far: how many records, how many bytes, and a digest over bytes and record boundaries. */
final class RunningDigest {
    private final MessageDigest digest;
    private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    private long recordCount;
    private long byteCount;

    RunningDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }

    void add(ByteBuffer record) {
        recordCount++;
        byteCount += record.remaining();
        digest.update(length.putInt(0, record.remaining()).array());
        digest.update(record);
    }

    long recordCount() {
        return recordCount;
    }

    long byteCount() {
        return byteCount;
    }

    /** Of everything added; the last call. */
    String finish() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
