// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Results as people and as programs see them. */
final class OutputTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void aTableLinesUpItsColumnsAndMarksWhatIsMissing() throws IOException {
        Output output = new Output(out, OutputForm.text);

        output.table(List.of(
                new Fields().with("name", "a").with("usableBytes", 1234).with("rack", "r1"),
                new Fields().with("name", "longer").with("usableBytes", 5)));
        output.flush();

        assertThat(out.toString(UTF_8)).isEqualTo("""
                        name    usable bytes  rack
                        a               1234  r1
                        longer             5  -
                        """);
    }

    @Test
    void aLongTableHasOneHeaderAndItsColumnsOnlyBecomeWider() throws IOException {
        Rows rows = new Output(out, OutputForm.text).rows("record", "id", "bytes");

        for (int i = 0; i < 2_500; i++) {
            rows.add(new Fields()
                    .with("record", i < 1_500 ? "entry" : "tombstone")
                    .with("id", i));
        }
        rows.end();

        List<String> lines = out.toString(UTF_8).lines().toList();
        assertThat(lines).hasSize(2_501);
        assertThat(lines.get(0)).isEqualTo("record   id  bytes");
        assertThat(lines.get(1)).isEqualTo("entry     0      -");
        assertThat(lines.get(2_500)).isEqualTo("tombstone  2499      -");
    }

    @Test
    void rowsOfWhichThereAreNoneAreNothing() throws IOException {
        new Output(out, OutputForm.text).rows("record").end();

        assertThat(out.size()).isZero();
    }

    @Test
    void anEmptyTableIsNothing() throws IOException {
        Output output = new Output(out, OutputForm.text);

        output.table(List.of());
        output.flush();

        assertThat(out.size()).isZero();
    }

    @Test
    void aThingIsALinePerFieldAndItsListsAreTables() throws IOException {
        Output output = new Output(out, OutputForm.text);

        output.thing(new Fields()
                .with("name", "s")
                .with("isSealed", false)
                .with("missing", Optional.empty())
                .with("share", 0.5)
                .withTexts("bookies", List.of("x", "y"))
                .withList("segments", List.of(new Fields().with("number", 1).with("records", Optional.of(7L)))));
        output.flush();

        assertThat(out.toString(UTF_8)).isEqualTo("""
                        name       s
                        is sealed  no
                        share      0.50
                        bookies    x, y

                        segments
                        number  records
                             1        7
                        """);
    }

    @Test
    void programsGetOneObjectPerLine() throws IOException {
        Output output = new Output(out, OutputForm.json);

        output.result(
                "text", new Fields().with("name", "a\n\"").with("count", 1).with("share", 0.5));
        output.table(List.of(
                new Fields().with("yes", true).withTexts("list", List.of("x")),
                new Fields().withList("inner", List.of(new Fields().with("n", 1)))));
        output.flush();

        assertThat(out.toString(UTF_8)).isEqualTo("""
                        {"name":"a\\n\\"","count":1,"share":0.5}
                        {"yes":true,"list":["x"]}
                        {"inner":[{"n":1}]}
                        """);
    }
}
