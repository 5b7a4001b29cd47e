// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the places where reading may begin. */
public final class ReadFrom implements ITypeConverter<StartPosition> {
    private static final String AFTER = "after:";
    private static final String TRANSACTION_ID = "txid:";
    private static final String TIME = "time:";
    private static final String SUBSCRIPTION = "subscription:";

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
            if (text.startsWith(SUBSCRIPTION)) {
                return StartPosition.subscription(text.substring(SUBSCRIPTION.length()));
            }
            if (text.startsWith(TIME)) {
                return StartPosition.atTime(Instant.parse(text.substring(TIME.length())));
            }
            return StartPosition.at(DLSN.parse(text));
        } catch (IllegalArgumentException | DateTimeParseException malformed) {
            throw new TypeConversionException(
                    "'" + text + "' is not a place in a stream: use earliest, latest, 1:17:3, after:1:17:3,"
                            + " txid:42, time:2026-01-31T12:00:00Z or subscription:ID");
        }
    }

    /** The same place or, when it was truncated, the first record that is left. */
    public static StartPosition orEarliest(StartPosition place) {
        if (place instanceof StartPosition.At at) {
            return at.orEarliest();
        }
        if (place instanceof StartPosition.AtSubscription subscription) {
            return subscription.orEarliest();
        }
        return place instanceof StartPosition.After after ? after.orEarliest() : place;
    }
}
