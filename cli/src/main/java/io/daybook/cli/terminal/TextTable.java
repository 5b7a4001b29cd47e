// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results laid out for people. */
final class TextTable {
    private TextTable() {}

    /** One line per value, names in front; lists of things follow as tables. */
    static String ofThing(Map<String, Object> values) {
        int width = values.keySet().stream()
                .mapToInt(name -> label(name).length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        List<String> tables = new ArrayList<>();
        values.forEach((name, value) -> {
            if (value instanceof List<?> list && list.stream().anyMatch(Fields.class::isInstance)) {
                tables.add("\n" + label(name) + "\n" + ofRows(fieldsOf(list)));
            } else {
                lines.add(padded(label(name), width, false) + "  " + text(value));
            }
        });
        lines.addAll(tables);
        return String.join("\n", lines);
    }

    /** A header and one line per thing; columns are as wide as they need to be. */
    static String ofRows(List<Fields> rows) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.addAll(row.values().keySet()));
        return new Columns(names).lay(rows);
    }

    /** The columns of a table that is laid out in pieces: the first has a header, and columns only become wider. */
    static final class Columns {
        private final List<String> names;
        private final int[] widths;
        private boolean hasHeader;

        Columns(Collection<String> names) {
            this.names = List.copyOf(names);
            this.widths = new int[names.size()];
        }

        /** The lines of some rows, the header before the first ones. */
        String lay(List<Fields> rows) {
            List<List<String>> cells = new ArrayList<>();
            if (!hasHeader) {
                cells.add(names.stream().map(TextTable::label).toList());
                hasHeader = true;
            }
            rows.forEach(row -> cells.add(
                    names.stream().map(name -> cell(row.values().get(name))).toList()));
            boolean[] rightAligned = new boolean[widths.length];
            for (int column = 0; column < widths.length; column++) {
                String name = names.get(column);
                rightAligned[column] =
                        rows.stream().allMatch(row -> row.values().getOrDefault(name, 0L) instanceof Number);
                widths[column] = Math.max(widths[column], widthOf(cells, column));
            }
            List<String> lines = new ArrayList<>();
            for (List<String> line : cells) {
                StringBuilder text = new StringBuilder();
                for (int i = 0; i < widths.length; i++) {
                    text.append(i == 0 ? "" : "  ").append(padded(line.get(i), widths[i], rightAligned[i]));
                }
                lines.add(text.toString().stripTrailing());
            }
            return String.join("\n", lines);
        }

        private static String cell(@Nullable Object value) {
            return value == null ? "-" : text(value);
        }
    }

    private static int widthOf(List<List<String>> cells, int column) {
        return cells.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    private static List<Fields> fieldsOf(List<?> list) {
        return list.stream().map(Fields.class::cast).toList();
    }

    private static String text(Object value) {
        if (value instanceof Fields fields) {
            List<String> parts = new ArrayList<>();
            fields.values().forEach((name, part) -> parts.add(label(name) + " " + text(part)));
            return String.join(", ", parts);
        }
        if (value instanceof List<?> list) {
            return String.join(", ", list.stream().map(TextTable::text).toList());
        }
        if (value instanceof Boolean truth) {
            return truth ? "yes" : "no";
        }
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.2f", number);
        }
        return value.toString();
    }

    private static String padded(String text, int width, boolean right) {
        String space = " ".repeat(width - text.length());
        return right ? space + text : text + space;
    }

    /** {@code lastTransactionId} reads "last transaction id". */
    private static String label(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    }
}
