// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation.converter;

import io.daybook.runtime.settings.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes: {@code 64KiB}, {@code 1GiB}, {@code 512}. */
public final class ByteSizeConverter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(String.valueOf(malformed.getMessage()));
        }
    }
}
