// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import io.daybook.stream.DLSN;
import io.daybook.stream.StartPosition;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Created;
import io.daybook.testkit.check.StreamDetail.Delete;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.Last;
import io.daybook.testkit.check.StreamDetail.OpenWriter;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Rename;
import io.daybook.testkit.check.StreamDetail.Seal;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.StreamDetail.Translate;
import io.daybook.testkit.check.StreamDetail.Truncate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a call on a stream in the text form of a history. A record is {@code value@position#transactionId}, with {@code -} for a position that is
 * not known; several are separated by blanks.
 */
final class StreamFormat {
    private static final String NOT_KNOWN = "-";

    private StreamFormat() {}

    /** Hands over the name and value of every field. */
    static void write(StreamDetail detail, BiConsumer<String, String> field) {
        if (detail instanceof Created created) {
            field.accept("kind", "create-stream");
            field.accept("strict", String.valueOf(created.strict()));
            if (created.first() > 0) {
                field.accept("first", String.valueOf(created.first()));
            }
        } else if (detail instanceof OpenWriter open) {
            field.accept("kind", "open-writer");
            field.accept("last", String.valueOf(open.lastTransactionId()));
        } else if (detail instanceof Appends appends) {
            field.accept("kind", "append-stream");
            field.accept("records", join(appends.records()));
        } else if (detail instanceof Poll poll) {
            field.accept("kind", "poll");
            field.accept("start", poll.start() == null ? "" : write(poll.start()));
            field.accept("found", poll.found().name());
            field.accept("records", join(poll.records()));
        } else if (detail instanceof Last last) {
            field.accept("kind", "last");
            field.accept("position", last.position().toString());
        } else if (detail instanceof Seal) {
            field.accept("kind", "seal");
        } else if (detail instanceof Truncate truncate) {
            field.accept("kind", "truncate");
            field.accept("position", truncate.position().toString());
        } else if (detail instanceof Delete) {
            field.accept("kind", "delete-stream");
        } else if (detail instanceof Rename rename) {
            field.accept("kind", "rename-stream");
            field.accept("to", rename.newName());
            field.accept("shift", String.valueOf(rename.shift()));
            field.accept("first", String.valueOf(rename.first()));
        } else if (detail instanceof Translate translate) {
            field.accept("kind", "translate");
            field.accept("position", translate.position().toString());
            field.accept("to", translate.newName());
            field.accept("moved", translate.newPosition().toString());
        } else if (detail instanceof FinalStream log) {
            field.accept("kind", "final-stream");
            field.accept("position", log.truncatedTo().toString());
            field.accept("records", join(log.records()));
        }
        field.accept("stream", detail.stream());
    }

    /**
     * Reads a call of {@code kind}; throws {@link IllegalArgumentException} when it is none.
     *
     * @param field tells the value of a field that must be there
     * @param fieldOr tells the value of one that may be missing, and then what is told instead
     */
    static StreamDetail read(String kind, Function<String, String> field, BinaryOperator<String> fieldOr) {
        String stream = field.apply("stream");
        return switch (kind) {
            case "create-stream" ->
                new Created(
                        stream,
                        Boolean.parseBoolean(field.apply("strict")),
                        Long.parseLong(fieldOr.apply("first", "0")));
            case "open-writer" -> new OpenWriter(stream, Long.parseLong(field.apply("last")));
            case "append-stream" -> new Appends(stream, records(field.apply("records")));
            case "poll" ->
                new Poll(
                        stream,
                        start(field.apply("start")),
                        records(field.apply("records")),
                        Found.valueOf(field.apply("found")));
            case "last" -> new Last(stream, DLSN.parse(field.apply("position")));
            case "seal" -> new Seal(stream);
            case "delete-stream" -> new Delete(stream);
            case "truncate" -> new Truncate(stream, DLSN.parse(field.apply("position")));
            case "rename-stream" ->
                new Rename(
                        stream,
                        field.apply("to"),
                        Long.parseLong(field.apply("shift")),
                        Long.parseLong(field.apply("first")));
            case "translate" ->
                new Translate(
                        stream,
                        DLSN.parse(field.apply("position")),
                        field.apply("to"),
                        DLSN.parse(field.apply("moved")));
            case "final-stream" ->
                new FinalStream(stream, DLSN.parse(field.apply("position")), records(field.apply("records")));
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    private static String join(List<Seen> records) {
        return records.stream().map(StreamFormat::write).collect(Collectors.joining(" "));
    }

    private static String write(Seen record) {
        String position =
                record.position() == null ? NOT_KNOWN : record.position().toString();
        return record.value() + "@" + position + '#' + record.transactionId();
    }

    private static List<Seen> records(String text) {
        List<Seen> records = new ArrayList<>();
        for (String part : text.split(" ", -1)) {
            if (!part.isEmpty()) {
                records.add(record(part));
            }
        }
        return records;
    }

    private static Seen record(String text) {
        int at = text.indexOf('@');
        int hash = text.indexOf('#');
        if (at < 0 || hash < at) {
            throw new IllegalArgumentException("'" + text + "' is not of the form value@position#transactionId");
        }
        String position = text.substring(at + 1, hash);
        return new Seen(
                Value.parse(text.substring(0, at)),
                Long.parseLong(text.substring(hash + 1)),
                position.equals(NOT_KNOWN) ? null : DLSN.parse(position));
    }

    private static String write(StartPosition start) {
        if (start instanceof StartPosition.At at) {
            return "at " + at.position();
        }
        if (start instanceof StartPosition.After after) {
            return "after " + after.position();
        }
        if (start instanceof StartPosition.AtTransactionId seek) {
            return "txid " + seek.transactionId();
        }
        if (start instanceof StartPosition.AtTime at) {
            return "time " + at.time().toEpochMilli();
        }
        // No check depends on where any other one begins.
        return start instanceof StartPosition.Earliest ? "earliest" : "latest";
    }

    private static @Nullable StartPosition start(String text) {
        String[] parts = text.split(" ", 2);
        return switch (parts[0]) {
            case "" -> null;
            case "earliest" -> StartPosition.earliest();
            case "latest" -> StartPosition.latest();
            case "at" -> StartPosition.at(DLSN.parse(parts[1]));
            case "after" -> StartPosition.after(DLSN.parse(parts[1]));
            case "time" -> StartPosition.atTime(Instant.ofEpochMilli(Long.parseLong(parts[1])));
            case "txid" -> StartPosition.atTransactionId(Long.parseLong(parts[1]));
            default -> throw new IllegalArgumentException("start " + text);
        };
    }
}
