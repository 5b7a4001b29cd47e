// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.metadata.model.Quorums;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code --quorums}: how often an entry is kept. */
public final class QuorumsOption {
    @Option(
            names = "--quorums",
            paramLabel = "E/W/A",
            defaultValue = "3/3/2",
            converter = Converter.class,
            description = "Bookies used / copies of each entry / durable copies before a write is acknowledged."
                    + " Default: 3/3/2.")
    private Quorums quorums = Quorums.DEFAULT;

    /** The numbers. */
    public Quorums value() {
        return quorums;
    }

    /** Reads {@code 3/3/2}. */
    static final class Converter implements ITypeConverter<Quorums> {
        @Override
        public Quorums convert(String text) {
            if (!text.matches("[0-9]{1,4}/[0-9]{1,4}/[0-9]{1,4}")) {
                throw new TypeConversionException(
                        "'" + text + "' is not of the form bookies/copies/acknowledgements, such as 3/3/2");
            }
            String[] numbers = text.split("/", -1);
            try {
                return new Quorums(
                        Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
            } catch (IllegalArgumentException impossible) {
                throw new TypeConversionException(String.valueOf(impossible.getMessage()));
            }
        }
    }
}
