// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bench;

import io.daybook.benchmarks.LoadBench;
import io.daybook.benchmarks.load.Pace;
import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.QuorumsOption;
import io.daybook.cli.invocation.converter.ByteSizeConverter;
import io.daybook.cli.invocation.converter.DurationConverter;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.settings.ByteSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How much load, for how long, of what, and where the result goes. */
final class LoadOptions {
    private static final Duration RAW_SLICE = Duration.ofSeconds(3);
    private static final Duration DURATION_MAX = Duration.ofHours(24);

    /** Requests under way that a stream lets one thread of its own have, in bytes, with room to spare. */
    private static final long STREAM_WINDOW_BYTES_MAX = 8L * 1024 * 1024;

    @ArgGroup(multiplicity = "1")
    private PaceOption pace = new PaceOption();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1KiB",
            converter = ByteSizeConverter.class,
            description = "Payload of each append, such as 100 or 10KiB. Default: 1KiB.")
    private ByteSize size = new ByteSize(0);

    @Mixin
    private final QuorumsOption quorums = new QuorumsOption();

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationConverter.class,
            description = "Load at the same pace before anything counts; 0s for none. Default: 20s.")
    private Duration warmup = Duration.ZERO;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "The part that counts. Default: 30s.")
    private Duration duration = Duration.ZERO;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the result to this file as well, as JSON.")
    private Optional<Path> json = Optional.empty();

    /** One of the two. */
    static final class PaceOption {
        @Option(
                names = "--rate",
                required = true,
                paramLabel = "N",
                description = "Open loop: N appends a second on a fixed schedule; latency counts from the due time.")
        private Optional<Integer> rate = Optional.empty();

        @Option(
                names = "--window",
                required = true,
                paramLabel = "N",
                description = "Closed loop: N appends under way at any time.")
        private Optional<Integer> window = Optional.empty();
    }

    /** Checks what no single option can; {@code handles} share the window. */
    void check(Invocation invocation, int handles, long payloadBytesMax) {
        invocation.require(pace.rate.isPresent() || pace.window.isPresent(), "give --rate or --window");
        invocation.require(
                size.bytes() >= 1 && size.bytes() <= payloadBytesMax,
                "--size must be 1 to " + payloadBytesMax + " bytes");
        invocation.require(handles >= 1 && handles <= 10_000, "the number of handles must be 1 to 10000");
        invocation.require(!warmup.isNegative() && warmup.compareTo(DURATION_MAX) <= 0, "--warmup must be 0s to 24h");
        invocation.require(
                duration.compareTo(Duration.ofSeconds(1)) >= 0 && duration.compareTo(DURATION_MAX) <= 0,
                "--duration must be 1s to 24h");
        pace.rate.ifPresent(
                rate -> invocation.require(rate >= 1 && rate <= 10_000_000, "--rate must be 1 to 10000000"));
        pace.window.ifPresent(window -> invocation.require(
                window >= handles && window <= 1_000_000,
                "--window must be 1 to 1000000, and at least 1 for each handle"));
    }

    /** As {@link #check}, for streams, whose writers bound what is in flight. */
    void checkStreams(Invocation invocation, int streams, long payloadBytesMax) {
        check(invocation, streams, payloadBytesMax);
        pace.window.ifPresent(window -> invocation.require(
                (window + streams - 1) / streams * size.bytes() <= STREAM_WINDOW_BYTES_MAX,
                "--window times --size must not exceed 8MiB for each stream"));
    }

    /** After a check. */
    LoadBench.Plan plan() {
        Pace chosen = pace.rate
                .<Pace>map(Pace.Rate::new)
                .or(() -> pace.window.map(Pace.Window::new))
                .orElseThrow();
        return new LoadBench.Plan(chosen, warmup, duration, RAW_SLICE);
    }

    int size() {
        return (int) size.bytes();
    }

    Quorums quorums() {
        return quorums.value();
    }

    Optional<Path> json() {
        return json;
    }
}
