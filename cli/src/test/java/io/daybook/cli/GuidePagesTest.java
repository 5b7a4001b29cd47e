// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The code on the pages that guide programmers is that of tests. After a change there run with {@code -Ddaybook.guide.write=true} and read the
 * difference.
 */
final class GuidePagesTest {
    private static final Pattern SNIPPET = Pattern.compile("(?s) *// guide: (\\w+)\n(.*?) *// end\n");
    private static final Pattern BLOCK = Pattern.compile("(?s)<!-- code: (\\w+) -->\n```java\n(.*?)```\n");

    private static final Pattern CODE = Pattern.compile("(?:return |super\\()\"([a-z-]+)\"");

    private static Map<String, String> snippets(Path source) throws IOException {
        Map<String, String> snippets = new TreeMap<>();
        Matcher matcher = SNIPPET.matcher(Files.readString(source));
        while (matcher.find()) {
            assertThat(snippets.put(
                            matcher.group(1), matcher.group(2).stripTrailing().stripIndent()))
                    .as("one snippet of the name %s", matcher.group(1))
                    .isNull();
        }
        // What only checks is no part of the guide.
        snippets.replaceAll((name, code) ->
                code.lines().filter(line -> !line.contains("assertThat(")).collect(Collectors.joining("\n")) + "\n");
        return snippets;
    }

    @ParameterizedTest
    @CsvSource({
        "../docs/ledger-api.md, ../ledger-layer/src/test/java/io/daybook/ledger/guide/LedgerGuideTest.java",
        "../docs/streams.md, ../stream-core/src/test/java/io/daybook/stream/core/guide/StreamsGuideTest.java"
    })
    void theCodeOnThePageIsTheCodeThatRuns(Path path, Path source) throws IOException {
        Map<String, String> snippets = snippets(source);
        String page = Files.readString(path);
        TreeSet<String> shown = new TreeSet<>();
        String expected = BLOCK.matcher(page).replaceAll(block -> {
            String name = block.group(1);
            shown.add(name);
            String code = snippets.getOrDefault(name, "// there is no such snippet\n");
            return Matcher.quoteReplacement("<!-- code: " + name + " -->\n```java\n" + code + "```\n");
        });

        assertThat(shown).isEqualTo(snippets.keySet());
        if (Boolean.getBoolean("daybook.guide.write")) {
            Files.writeString(path, expected);
        } else {
            assertThat(page).isEqualTo(expected);
        }
    }

    // S-52: a caller tells failures from each other by their codes.
    @ParameterizedTest
    @CsvSource({
        "../docs/ledger-api.md, ../ledger-layer/src/main/java/io/daybook/ledger/api/LedgerException.java",
        "../docs/streams.md, ../stream-api/src/main/java/io/daybook/stream/StreamException.java"
    })
    void everyFailureHasACodeOfItsOwnWhichIsOnThePage(Path path, Path source) throws IOException {
        String failures = Files.readString(source);
        String page = Files.readString(path);

        assertThat(CODE.matcher(failures).results().map(code -> code.group(1)).toList())
                .hasSizeGreaterThan(10)
                .doesNotHaveDuplicates()
                .allSatisfy(code -> assertThat(page).contains("`" + code + "`"));
    }
}
