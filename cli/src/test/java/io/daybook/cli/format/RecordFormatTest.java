// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in every format: what is written is read again, what is malformed is refused. */
final class RecordFormatTest {
    private static final int LARGE = 2 * 1024 * 1024;

    @Test
    void anyBytesCutIntoLinesAndPutTogetherAreTheSame() throws IOException {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] input = linesOfAnyBytes(random);
            int bytesMax = 1 + random.nextInt(40);

            List<byte[]> records = all(RecordFormat.LINES.source(new Trickle(input, random), bytesMax));

            assertThat(joined(records)).as("seed %d", seed).isEqualTo(input);
            for (int i = 0; i < records.size(); i++) {
                byte[] record = records.get(i);
                boolean last = i == records.size() - 1;
                assertThat(record.length).as("seed %d", seed).isBetween(1, bytesMax);
                assertThat(record[record.length - 1] == '\n' || record.length == bytesMax || last)
                        .as("seed %d: record %d ends where a line ends, or is full, or is the last", seed, i)
                        .isTrue();
                assertThat(positionOfLineFeed(record))
                        .as("seed %d: record %d holds one line", seed, i)
                        .isGreaterThanOrEqualTo(record.length - 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RecordFormat.class)
    void writtenRecordsAreReadAgain(RecordFormat format) throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<byte[]> records = new ArrayList<>();
            for (int i = random.nextInt(20); i > 0; i--) {
                byte[] record = linesOfAnyBytes(random);
                records.add(format == RecordFormat.LINES ? oneLine(record) : record);
            }

            byte[] bytes = written(format, records);

            assertThat(comparable(all(format.source(new Trickle(bytes, random), LARGE))))
                    .as("seed %d", seed)
                    .isEqualTo(comparable(records));
        }
    }

    @Test
    void aLineOfManyMebibytesIsCut() throws IOException {
        byte[] line = new byte[5 * 1024 * 1024];

        List<byte[]> records = all(RecordFormat.LINES.source(new ByteArrayInputStream(line), LARGE));

        assertThat(records.stream().map(record -> record.length)).containsExactly(LARGE, LARGE, 1024 * 1024);
    }

    @Test
    void everythingInAJsonRecordIsUsedOrRefused() throws IOException {
        String input =
                "{\"position\":\"1:2:3\",\"sequenceId\":4,\"transactionId\":17,\"text\":\"a\\nß\"}{\"base64\":\"/w==\"}";

        RecordSource source = RecordFormat.JSON.source(new ByteArrayInputStream(input.getBytes(UTF_8)), LARGE);

        InputRecord first = source.next().orElseThrow();
        assertThat(first.transactionId()).isEqualTo(OptionalLong.of(17));
        assertThat(first.payload()).isEqualTo(ByteBuffer.wrap("a\nß".getBytes(UTF_8)));
        InputRecord second = source.next().orElseThrow();
        assertThat(second.transactionId()).isEmpty();
        assertThat(second.payload()).isEqualTo(ByteBuffer.wrap(new byte[] {-1}));
        assertThat(source.next()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1]",
                "{",
                "{}",
                "{\"text\":1}",
                "{\"text\":\"a\",\"txid\":1}",
                "{\"text\":\"a\",\"transactionId\":\"1\"}",
                "{\"text\":\"a\",\"transactionId\":99999999999999999999}",
                "{\"base64\":\"*\"}",
                "{\"text\":\"\\ud800\"}",
                "{\"text\":\"12345678901\"}",
                "nonsense"
            })
    void malformedJsonIsRefusedWithTheNumberOfTheRecord(String second) {
        RecordSource source =
                RecordFormat.JSON.source(new ByteArrayInputStream(("{\"text\":\"\"}" + second).getBytes(UTF_8)), 10);

        assertThatThrownBy(() -> all(source))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("record 2 of the input");
    }

    @Test
    void malformedBase64IsRefusedWithTheNumberOfTheLine() {
        RecordSource source = RecordFormat.BASE64.source(new ByteArrayInputStream("QQ==\n?\n".getBytes(UTF_8)), LARGE);

        assertThatThrownBy(() -> all(source))
                .isInstanceOf(MalformedInputException.class)
                .hasMessageContaining("line 2 is not Base64");
    }

    @Test
    void base64IsBoundedByWhatItHolds() throws IOException {
        byte[] largest = written(RecordFormat.BASE64, List.of(new byte[100]));
        byte[] tooLarge = written(RecordFormat.BASE64, List.of(new byte[101]));
        byte[] farTooLarge = written(RecordFormat.BASE64, List.of(new byte[1000]));

        assertThat(all(RecordFormat.BASE64.source(new ByteArrayInputStream(largest), 100)))
                .hasSize(1);
        for (byte[] refused : List.of(tooLarge, farTooLarge)) {
            assertThatThrownBy(() -> all(RecordFormat.BASE64.source(new ByteArrayInputStream(refused), 100)))
                    .isInstanceOf(MalformedInputException.class)
                    .hasMessageContaining("more than the 100 bytes");
        }
    }

    @Test
    void aLengthThatCannotBeIsRefusedBeforeAnythingIsAllocated() {
        byte[] negative = {-1, -1, -1, -1};
        byte[] large = {0, 0, 0, 101};

        for (byte[] refused : List.of(negative, large)) {
            assertThatThrownBy(() -> all(RecordFormat.LENGTH_PREFIXED.source(new ByteArrayInputStream(refused), 100)))
                    .isInstanceOf(MalformedInputException.class)
                    .hasMessageContaining("a record has at most 100");
        }
    }

    @Test
    void anInputThatEndsInsideARecordIsRefused() {
        byte[] whole = {0, 0, 0, 2, 7, 7};

        for (int length = 1; length < whole.length; length++) {
            InputStream cut = new ByteArrayInputStream(whole, 0, length);
            assertThatThrownBy(() -> all(RecordFormat.LENGTH_PREFIXED.source(cut, 100)))
                    .isInstanceOf(MalformedInputException.class)
                    .hasMessageContaining("ends inside record 1");
        }
    }

    private static byte[] linesOfAnyBytes(Random random) {
        byte[] bytes = new byte[random.nextInt(300)];
        random.nextBytes(bytes);
        int lineFeeds = random.nextInt(20);
        for (int i = 0; i < lineFeeds && bytes.length > 0; i++) {
            bytes[random.nextInt(bytes.length)] = '\n';
        }
        return bytes;
    }

    /** The same bytes as one line with its end: what the lines format keeps as one record. */
    private static byte[] oneLine(byte[] bytes) {
        byte[] line = new byte[bytes.length + 1];
        for (int i = 0; i < bytes.length; i++) {
            line[i] = bytes[i] == '\n' ? (byte) '\r' : bytes[i];
        }
        line[bytes.length] = '\n';
        return line;
    }

    private static int positionOfLineFeed(byte[] record) {
        for (int i = 0; i < record.length; i++) {
            if (record[i] == '\n') {
                return i;
            }
        }
        return record.length;
    }

    private static byte[] written(RecordFormat format, List<byte[]> records) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordSink sink = format.sink(out);
        for (byte[] record : records) {
            sink.write(ByteBuffer.wrap(record), json -> json.writeStringField("position", "1:0:0"));
        }
        sink.flush();
        return out.toByteArray();
    }

    private static List<byte[]> all(RecordSource source) throws IOException {
        List<byte[]> records = new ArrayList<>();
        for (Optional<InputRecord> next = source.next(); next.isPresent(); next = source.next()) {
            records.add(next.get().payload().array());
        }
        return records;
    }

    private static List<ByteBuffer> comparable(List<byte[]> records) {
        return records.stream().map(ByteBuffer::wrap).toList();
    }

    private static byte[] joined(List<byte[]> records) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] record : records) {
            out.write(record);
        }
        return out.toByteArray();
    }

    /** Gives what it has in small portions, as a pipe does. */
    private static final class Trickle extends ByteArrayInputStream {
        private final Random random;

        Trickle(byte[] bytes, Random random) {
            super(bytes);
            this.random = random;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, 1 + random.nextInt(50)));
        }
    }
}
