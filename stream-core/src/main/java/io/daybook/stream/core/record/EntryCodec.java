// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.record;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.daybook.metadata.model.StreamSettings.Compression;
import io.daybook.protocol.Limits;
import io.netty.buffer.ByteBuf;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the body of an entry is compressed. The length that an entry claims is checked before room is made for it, so that a damaged or hostile entry costs no more memory
 * than the largest sound one.
 */
public enum EntryCodec {
    /** Not at all. */
    NONE(0) {
        @Override
        byte[] compress(byte[] body) {
            return body;
        }

        @Override
        int decompress(byte[] compressed, byte[] body) {
            throw new IllegalStateException("nothing to decompress");
        }
    },
    /** LZ4 block format. */
    LZ4(1) {
        @Override
        byte[] compress(byte[] body) {
            return LZ4Factory.fastestInstance().fastCompressor().compress(body);
        }

        @Override
        int decompress(byte[] compressed, byte[] body) {
            try {
                return LZ4Factory.fastestInstance()
                        .safeDecompressor()
                        .decompress(compressed, 0, compressed.length, body, 0, body.length);
            } catch (LZ4Exception malformed) {
                throw new DamagedEntryException("it is not what LZ4 makes: " + malformed.getMessage());
            }
        }
    },
    /** One Zstandard frame. */
    ZSTD(2) {
        @Override
        byte[] compress(byte[] body) {
            return Zstd.compress(body, ZSTD_LEVEL);
        }

        @Override
        int decompress(byte[] compressed, byte[] body) {
            try {
                return (int) Zstd.decompressByteArray(body, 0, body.length, compressed, 0, compressed.length);
            } catch (ZstdException malformed) {
                throw new DamagedEntryException("it is not what Zstandard makes: " + malformed.getMessage());
            }
        }
    };

    /** The library's own default: a good part of what is to be saved, at hundreds of megabytes a second. */
    private static final int ZSTD_LEVEL = 3;

    /** Bytes of the body of an entry, at most. */
    private static final int BODY_BYTES_MAX = Limits.ENTRY_PAYLOAD_BYTES_MAX;

    private static final Logger LOG = LoggerFactory.getLogger(EntryCodec.class);

    private final int number;

    EntryCodec(int number) {
        this.number = number;
    }

    /** What a stream's settings ask for. */
    public static EntryCodec of(Compression compression) {
        return switch (compression) {
            case NONE -> NONE;
            case LZ4 -> LZ4;
            case ZSTD -> ZSTD;
        };
    }

    /** The number in an entry's flags. */
    int number() {
        return number;
    }

    /** The codec of an entry's flags; throws {@link DamagedEntryException} for flags that this version does not know. */
    static EntryCodec ofFlags(int flags) {
        for (EntryCodec codec : values()) {
            if (codec.number == flags) {
                return codec;
            }
        }
        throw new DamagedEntryException(
                "its flags are " + flags + "; this program does not know them (use a newer one)");
    }

    abstract byte[] compress(byte[] body);

    /** Fills {@code body}; returns how many bytes there are. */
    abstract int decompress(byte[] compressed, byte[] body);

    /** The body of which the readable bytes tell the length and then the compressed form; throws {@link DamagedEntryException} unless it has just that length. */
    final byte[] readBody(ByteBuf in) {
        long length = EntryFormat.readNumber(in);
        if (length < 1 || length > BODY_BYTES_MAX) {
            throw new DamagedEntryException(
                    "it claims to hold " + length + " bytes; at most " + BODY_BYTES_MAX + " can be");
        }
        byte[] compressed = new byte[in.readableBytes()];
        in.readBytes(compressed);
        byte[] body = new byte[(int) length];
        int filled;
        try {
            filled = decompress(compressed, body);
        } catch (LinkageError missing) {
            throw new DamagedEntryException(
                    "it is compressed by " + this + ", which does not work on this machine: " + missing.getMessage());
        }
        if (filled != length) {
            throw new DamagedEntryException("it claims to hold " + length + " bytes and holds " + filled);
        }
        return body;
    }

    /** The body compressed; the body itself when this machine lacks what the codec needs. */
    final byte[] compressIfPossible(byte[] body) {
        try {
            return compress(body);
        } catch (LinkageError missing) {
            LOG.debug("codec={} state=MISSING", this, missing);
            return body;
        }
    }
}
