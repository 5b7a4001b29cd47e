// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.check;

import io.daybook.testkit.check.Call.Append;
import io.daybook.testkit.check.Call.Closing;
import io.daybook.testkit.check.Call.Copies;
import io.daybook.testkit.check.Call.Deletion;
import io.daybook.testkit.check.Call.Detail;
import io.daybook.testkit.check.Call.Fencing;
import io.daybook.testkit.check.Call.FinalLog;
import io.daybook.testkit.check.Call.Peek;
import io.daybook.testkit.check.Call.Read;
import io.daybook.testkit.check.Call.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A history as text: one flat JSON object per line and call, with numbers, truth values and strings without escapes. */
public final class HistoryFormat {
    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\":(?:\"([^\"\\\\]*)\"|(-?[0-9]+|true|false))");

    private HistoryFormat() {}

    /** One line, without its end. */
    public static String write(Call call) {
        StringBuilder line = new StringBuilder("{");
        text(line, "process", call.process());
        Detail detail = call.detail();
        if (detail instanceof Append append) {
            text(line, "kind", "append");
            text(line, "value", append.value().toString());
            number(line, "entry", append.entryId());
        } else if (detail instanceof Read read) {
            text(line, "kind", "read");
            number(line, "wanted", read.wantedEntryId());
            number(line, "first", read.firstEntryId());
            text(line, "values", join(read.values()));
            number(line, "confirmed", read.lastAddConfirmed());
        } else if (detail instanceof Peek peek) {
            text(line, "kind", "peek");
            number(line, "first", peek.firstEntryId());
            text(line, "values", join(peek.values()));
        } else if (detail instanceof Deletion) {
            text(line, "kind", "delete");
        } else if (detail instanceof Closing closing) {
            text(line, "kind", closing.isRecovery() ? "recover" : "close");
            number(line, "end", closing.lastEntryId());
        } else if (detail instanceof Fencing) {
            text(line, "kind", "fence");
        } else if (detail instanceof FinalLog log) {
            text(line, "kind", "final");
            text(line, "values", join(log.values()));
        } else if (detail instanceof Copies copies) {
            text(line, "kind", "copies");
            number(line, "entry", copies.entryId());
            number(line, "found", copies.found());
            number(line, "needed", copies.needed());
        } else if (detail instanceof StreamDetail onStream) {
            StreamFormat.write(onStream, (name, value) -> text(line, name, value));
        }
        number(line, "ledger", call.ledgerId());
        number(line, "invoked", call.invokedNanos());
        number(line, "ended", call.endedNanos());
        text(line, "result", call.result().name());
        return line.append('}').toString();
    }

    private static String join(List<Value> values) {
        return values.stream().map(Value::toString).collect(Collectors.joining(" "));
    }

    private static void text(StringBuilder line, String name, String value) {
        if (value.indexOf('"') >= 0 || value.indexOf('\\') >= 0) {
            throw new IllegalArgumentException("'" + value + "' cannot stand in a history");
        }
        comma(line).append('"').append(name).append("\":\"").append(value).append('"');
    }

    private static void number(StringBuilder line, String name, long value) {
        comma(line).append('"').append(name).append("\":").append(value);
    }

    private static StringBuilder comma(StringBuilder line) {
        return line.length() == 1 ? line : line.append(',');
    }

    /** Reads a whole history; throws {@link IllegalArgumentException} that quotes a line that is not one. */
    public static History read(Iterable<String> lines) {
        History history = new History();
        for (String line : lines) {
            if (!line.isBlank()) {
                history.add(read(line));
            }
        }
        return history;
    }

    /** Reads one line; throws {@link IllegalArgumentException} that quotes it when it is not one. */
    public static Call read(String line) {
        try {
            return new Call(
                    field(line, "process"),
                    whole(line, "invoked"),
                    whole(line, "ended"),
                    Result.valueOf(field(line, "result")),
                    whole(line, "ledger"),
                    detail(line));
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("not a call of a history: " + line, wrong);
        }
    }

    private static Detail detail(String line) {
        String kind = field(line, "kind");
        return switch (kind) {
            case "append" -> new Append(Value.parse(field(line, "value")), whole(line, "entry"));
            case "read" ->
                new Read(whole(line, "wanted"), whole(line, "first"), values(line), whole(line, "confirmed"));
            case "peek" -> new Peek(whole(line, "first"), values(line));
            case "delete" -> new Deletion();
            case "recover", "close" -> new Closing(kind.equals("recover"), whole(line, "end"));
            case "fence" -> new Fencing();
            case "final" -> new FinalLog(values(line));
            case "copies" -> new Copies(whole(line, "entry"), (int) whole(line, "found"), (int) whole(line, "needed"));
            default ->
                StreamFormat.read(
                        kind,
                        name -> field(line, name),
                        (name, otherwise) -> find(line, name).orElse(otherwise));
        };
    }

    private static List<Value> values(String line) {
        List<Value> values = new ArrayList<>();
        for (String part : field(line, "values").split(" ", -1)) {
            if (!part.isEmpty()) {
                values.add(Value.parse(part));
            }
        }
        return values;
    }

    private static long whole(String line, String name) {
        return Long.parseLong(field(line, name));
    }

    private static String field(String line, String name) {
        return find(line, name).orElseThrow(() -> new IllegalArgumentException("no field " + name));
    }

    private static Optional<String> find(String line, String name) {
        Matcher matcher = FIELD.matcher(line);
        while (matcher.find()) {
            if (matcher.group(1).equals(name)) {
                return Optional.ofNullable(matcher.group(2)).or(() -> Optional.of(matcher.group(3)));
            }
        }
        return Optional.empty();
    }
}
