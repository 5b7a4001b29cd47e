// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.bookie;

import io.daybook.cli.invocation.Invocation;
import io.daybook.cli.invocation.converter.CountConverter;
import io.daybook.cli.terminal.Fields;
import io.daybook.cli.terminal.Rows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which records of a file are shown. All of them are read and checked. */
final class RecordFilter {
    @Option(names = "--ledger", paramLabel = "ID", description = "Show the records of this ledger only.")
    private Optional<Long> ledger = Optional.empty();

    @Option(
            names = "--count",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Show so many records at most.")
    private Optional<Long> count = Optional.empty();

    private @Nullable Rows rows;
    private long shown;

    /** Whether not all are wanted. */
    boolean isSet() {
        return ledger.isPresent() || count.isPresent();
    }

    /** Shows the records that come on the output of a command, in these columns. */
    void begin(Invocation invocation, String... columns) {
        rows = invocation.output().rows(columns);
    }

    /** Shows a record, unless it is not wanted. */
    void show(long ledgerId, Fields record) {
        boolean wanted = ledger.map(id -> id == ledgerId).orElse(true) && shown < count.orElse(Long.MAX_VALUE);
        if (wanted && rows != null) {
            shown++;
            try {
                rows.add(record);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** All records came. */
    void end() throws IOException {
        if (rows != null) {
            rows.end();
        }
    }
}
