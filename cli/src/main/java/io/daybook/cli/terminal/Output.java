// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Results of a command on standard output, for people or for programs. Nothing is kept back after {@link #flush}. */
public final class Output {
    private final OutputStream out;
    private final OutputForm form;

    /** Writes to {@code out}. */
    public Output(OutputStream out, OutputForm form) {
        this.out = new BufferedOutputStream(out, 64 * 1024);
        this.form = form;
    }

    /** For whom. */
    public OutputForm form() {
        return form;
    }

    /** One result: {@code text} for people, {@code fields} for programs. */
    public void result(String text, Fields fields) throws IOException {
        if (form == OutputForm.json) {
            writeJson(fields);
        } else {
            line(text);
        }
    }

    /** One thing: a line per field for people. */
    public void thing(Fields fields) throws IOException {
        if (form == OutputForm.json) {
            writeJson(fields);
        } else {
            line(TextTable.ofThing(fields.values()));
        }
    }

    /** Several things of one kind: a table for people. */
    public void table(List<Fields> rows) throws IOException {
        if (form == OutputForm.json) {
            for (Fields row : rows) {
                writeJson(row);
            }
        } else if (!rows.isEmpty()) {
            line(TextTable.ofRows(rows));
        }
    }

    /** Things of one kind, however many, with these columns for people. */
    public Rows rows(String... columns) {
        return new Rows(this, List.of(columns));
    }

    /** Gives everything to the operating system. */
    public void flush() throws IOException {
        out.flush();
    }

    private void line(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.write('\n');
    }

    private void writeJson(Fields fields) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
            write(json, fields.values());
        }
        out.write('\n');
    }

    private static void write(JsonGenerator json, Map<String, Object> values) throws IOException {
        json.writeStartObject();
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            json.writeFieldName(entry.getKey());
            write(json, entry.getValue());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Fields fields) {
            write(json, fields.values());
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                write(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else {
            json.writeString(value.toString());
        }
    }
}
