// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.cli.format.RecordFormat;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code --format}: how records stand in the input or the output. */
public final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            converter = Converter.class,
            completionCandidates = Candidates.class,
            description =
                    "lines: a record is a line together with its line end, so that writing and reading gives the same"
                            + " bytes, whatever they are; a line longer than 2 MiB becomes several records. json: one object per"
                            + " record, with text or base64. base64: one line per record. length-prefixed: 4 bytes of length,"
                            + " highest first, then the record. Default: lines.")
    private Optional<RecordFormat> format = Optional.empty();

    /** What was asked for, else {@code otherwise}. */
    public RecordFormat orElse(RecordFormat otherwise) {
        return format.orElse(otherwise);
    }

    /** Reads the names of formats. */
    static final class Converter implements ITypeConverter<RecordFormat> {
        @Override
        public RecordFormat convert(String text) {
            return Arrays.stream(RecordFormat.values())
                    .filter(format -> format.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a format: use " + names()));
        }

        private static String names() {
            return Arrays.stream(RecordFormat.values())
                    .map(RecordFormat::toString)
                    .collect(Collectors.joining(", "));
        }
    }

    /** The names of formats, for the completion of the shell. */
    static final class Candidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(RecordFormat.values())
                    .map(RecordFormat::toString)
                    .iterator();
        }
    }
}
