// SPDX-License-Identifier: Apache-2.0
package io.daybook.protocol.wire.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The shapes that the verifier follows are those of the schema. */
final class SchemaTest {
    private static final Pattern TABLE =
            Pattern.compile("(?:/// identifier \"(\\w{4})\"\\n)?table (\\w+) \\{\\n(.*?)\\n}", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("\\s*(\\w+): (\\[?\\w+]?)(?: = 1)?( \\(required\\))?;");
    private static final Map<String, Integer> NUMBERS = Map.of("bool", 1, "ubyte", 1, "ushort", 2, "int", 4, "long", 8);

    private static final List<TableShape> SHAPES = List.of(
            WireShapes.HELLO,
            WireShapes.HELLO_ANSWER,
            WireShapes.ERROR,
            WireShapes.DESCRIBED_DIRECTORY,
            WireShapes.DESCRIBED_JOURNAL,
            WireShapes.DESCRIPTION,
            MetadataShapes.CLUSTER,
            MetadataShapes.COOKIE,
            MetadataShapes.REGISTRATION,
            MetadataShapes.FRAGMENT,
            MetadataShapes.TEXT_PAIR,
            MetadataShapes.LEDGER,
            MetadataShapes.LEDGER_BUCKET,
            MetadataShapes.LEDGER_IDS,
            MetadataShapes.STREAM_SETTINGS,
            MetadataShapes.STREAM,
            MetadataShapes.STREAM_HOME,
            MetadataShapes.LOCK,
            MetadataShapes.STREAM_BUCKET,
            MetadataShapes.SEGMENT,
            MetadataShapes.SUBSCRIPTION);

    @Test
    void shapesAreThoseOfTheSchema() throws IOException {
        Map<String, TableShape> inSchema = new TreeMap<>();
        for (String file : List.of("wire.fbs", "metadata.fbs")) {
            Matcher table = TABLE.matcher(Files.readString(Path.of("src/main/fbs", file)));
            while (table.find()) {
                String identifier = table.group(1) == null ? "" : table.group(1);
                inSchema.put(
                        table.group(2), new TableShape(table.group(2), identifier, fields(table.group(3), inSchema)));
            }
        }

        Map<String, TableShape> written = new TreeMap<>();
        SHAPES.forEach(shape -> written.put(shape.name(), shape));
        assertThat(written).hasSize(SHAPES.size()).isEqualTo(inSchema);
    }

    private static List<FieldShape> fields(String body, Map<String, TableShape> known) {
        List<FieldShape> fields = new ArrayList<>();
        for (String line : body.lines().toList()) {
            if (!line.strip().startsWith("///")) {
                Matcher field = FIELD.matcher(line);
                assertThat(field.matches())
                        .as("the line '%s' of the schema", line)
                        .isTrue();
                FieldShape shape = field(field.group(1), field.group(2), known);
                assertThat(field.group(3) != null)
                        .as("%s is required", shape.name())
                        .isEqualTo(shape.isRequired());
                fields.add(shape);
            }
        }
        return fields;
    }

    private static FieldShape field(String name, String type, Map<String, TableShape> known) {
        if (NUMBERS.containsKey(type)) {
            return FieldShape.number(name, Objects.requireNonNull(NUMBERS.get(type)));
        }
        return switch (type) {
            case "string" -> FieldShape.text(name);
            case "Id128" -> FieldShape.id(name);
            case "[ubyte]" -> FieldShape.bytes(name);
            case "[string]" -> FieldShape.texts(name);
            case "[Id128]" -> FieldShape.ids(name);
            default ->
                type.startsWith("[")
                        ? FieldShape.tables(name, known(known, type.substring(1, type.length() - 1)))
                        : FieldShape.table(name, known(known, type));
        };
    }

    private static TableShape known(Map<String, TableShape> known, String type) {
        return Objects.requireNonNull(known.get(type), type);
    }

    @Test
    void identifiersAreDistinct() {
        assertThat(SHAPES.stream().map(TableShape::identifier).filter(identifier -> !identifier.isEmpty()))
                .doesNotHaveDuplicates();
    }

    @Test
    void everyMetadataValueBeginsWithItsVersion() {
        assertThat(SHAPES.stream().filter(shape -> shape.identifier().startsWith("DBM")))
                .hasSizeGreaterThan(5)
                .allSatisfy(
                        shape -> assertThat(shape.fields().get(0)).isEqualTo(FieldShape.number("format_version", 4)));
    }
}
