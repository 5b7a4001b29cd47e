// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * A record on its way in. The bytes are not copied: nobody changes them.
 *
 * @param transactionId where the input says one
 */
public record InputRecord(OptionalLong transactionId, ByteBuffer payload) {
    /** Without a transaction id. */
    public static InputRecord of(byte[] payload) {
        return new InputRecord(OptionalLong.empty(), ByteBuffer.wrap(payload));
    }
}
