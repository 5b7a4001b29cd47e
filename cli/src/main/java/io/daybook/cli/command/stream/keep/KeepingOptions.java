// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream.keep;

import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.cli.terminal.Fields;
import io.daybook.runtime.settings.ByteSize;
import io.daybook.stream.StreamOptions;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a stream that may be changed while it lives; one that is not given stays as it is. */
public final class KeepingOptions {
    @Option(
            names = "--segment-bytes",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = "A segment that has grown to this size is completed; 0 for no bound. At first: 1GiB.")
    private Optional<ByteSize> segmentBytes = Optional.empty();

    @Option(
            names = "--segment-age",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "A segment of this age is completed; 0 for no bound. At first: 2h.")
    private Optional<Duration> segmentAge = Optional.empty();

    @Option(
            names = "--retention-age",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Segments that were completed longer ago are truncated; 0 keeps them. At first: 0.")
    private Optional<Duration> retentionAge = Optional.empty();

    @Option(
            names = "--retention-bytes",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description =
                    "Oldest segments are truncated as long as completed ones of this size are left; 0 keeps them. At"
                            + " first: 0.")
    private Optional<ByteSize> retentionBytes = Optional.empty();

    @Option(
            names = "--compression",
            paramLabel = "HOW",
            converter = CompressionConverter.class,
            description = "How records are stored from the next segment on: none, lz4 or zstd. At first: none.")
    private Optional<StreamOptions.Compression> compression = Optional.empty();

    /** Whether none was given. */
    boolean areEmpty() {
        return segmentBytes.isEmpty()
                && segmentAge.isEmpty()
                && retentionAge.isEmpty()
                && retentionBytes.isEmpty()
                && compression.isEmpty();
    }

    /** The options with those that were given. */
    public StreamOptions applied(StreamOptions options) {
        return options.withSegmentBounds(
                        segmentAge.orElse(options.segmentAgeMax()),
                        segmentBytes.map(ByteSize::bytes).orElse(options.segmentBytesMax()))
                .withRetention(
                        retentionAge.orElse(options.retentionAge()),
                        retentionBytes.map(ByteSize::bytes).orElse(options.retentionBytes()))
                .withCompression(compression.orElse(options.compression()));
    }

    /** The options of a stream, as commands show them. */
    public static Fields fields(StreamOptions options) {
        return added(new Fields(), options);
    }

    /** As {@link #fields}, after what is there already. */
    public static Fields added(Fields fields, StreamOptions options) {
        return fields.with("quorums", options.ensembleSize() + "/" + options.writeQuorum() + "/" + options.ackQuorum())
                .with("transactionIds", text(options.transactionIdMode()))
                .with("segmentBytesMax", options.segmentBytesMax())
                .with("segmentSecondsMax", options.segmentAgeMax().toSeconds())
                .with("retentionBytes", options.retentionBytes())
                .with("retentionSeconds", options.retentionAge().toSeconds())
                .with("compression", text(options.compression()))
                .with("digest", text(options.digest()));
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads {@code none}, {@code lz4} and {@code zstd}. */
    static final class CompressionConverter implements ITypeConverter<StreamOptions.Compression> {
        @Override
        public StreamOptions.Compression convert(String text) {
            for (StreamOptions.Compression compression : StreamOptions.Compression.values()) {
                if (text(compression).equals(text)) {
                    return compression;
                }
            }
            throw new TypeConversionException("'" + text + "' is no compression: use none, lz4 or zstd");
        }
    }
}
