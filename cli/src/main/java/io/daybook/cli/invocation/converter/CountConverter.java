// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation.converter;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers of things: 0 and above. */
public final class CountConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        // parseLong alone would take a sign.
        if (!text.matches("[0-9]{1,18}")) {
            throw new TypeConversionException("'" + text + "' is not a count: use a whole number from 0 on");
        }
        return Long.valueOf(text);
    }
}
