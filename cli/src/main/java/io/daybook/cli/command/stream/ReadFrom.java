// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.command.stream;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the places where reading may begin. */
final class ReadFrom implements ITypeConverter<StartPosition> {
    private static final String AFTER = "after:";
    private static final String TRANSACTION_ID = "txid:";

    @Override
    public StartPosition convert(String text) {
        try {
            if (text.equals("earliest")) {
                return StartPosition.earliest();
            }
            if (text.equals("latest")) {
                return StartPosition.latest();
            }
            if (text.startsWith(AFTER)) {
                return StartPosition.after(DLSN.parse(text.substring(AFTER.length())));
            }
            if (text.startsWith(TRANSACTION_ID)) {
                return StartPosition.atTransactionId(Long.parseLong(text.substring(TRANSACTION_ID.length())));
            }
            return StartPosition.at(DLSN.parse(text));
        } catch (IllegalArgumentException malformed) {
            throw new TypeConversionException(
                    "'" + text + "' is not a place in a stream: use earliest, latest, 1:17:3, after:1:17:3 or txid:42");
        }
    }
}
