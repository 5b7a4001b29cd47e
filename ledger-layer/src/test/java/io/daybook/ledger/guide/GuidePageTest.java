// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.guide;

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
import org.junit.jupiter.api.Test;

/**
 * The code on {@code docs/ledger-api.md} is that of {@link LedgerGuideTest}. After a change there run with {@code -Ddaybook.guide.write=true} and read the
 * difference.
 */
final class GuidePageTest {
    private static final Path PAGE = Path.of("../docs/ledger-api.md");
    private static final Path SOURCE = Path.of("src/test/java/io/daybook/ledger/guide/LedgerGuideTest.java");
    private static final Pattern SNIPPET = Pattern.compile("(?s) *// guide: (\\w+)\n(.*?) *// end\n");
    private static final Pattern BLOCK = Pattern.compile("(?s)<!-- code: (\\w+) -->\n```java\n(.*?)```\n");

    private static Map<String, String> snippets() throws IOException {
        Map<String, String> snippets = new TreeMap<>();
        Matcher matcher = SNIPPET.matcher(Files.readString(SOURCE));
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

    @Test
    void theCodeOnThePageIsTheCodeThatRuns() throws IOException {
        Map<String, String> snippets = snippets();
        String page = Files.readString(PAGE);
        TreeSet<String> shown = new TreeSet<>();
        String expected = BLOCK.matcher(page).replaceAll(block -> {
            String name = block.group(1);
            shown.add(name);
            String code = snippets.getOrDefault(name, "// there is no such snippet\n");
            return Matcher.quoteReplacement("<!-- code: " + name + " -->\n```java\n" + code + "```\n");
        });

        assertThat(shown).isEqualTo(snippets.keySet());
        if (Boolean.getBoolean("daybook.guide.write")) {
            Files.writeString(PAGE, expected);
        } else {
            assertThat(page).isEqualTo(expected);
        }
    }

    @Test
    void everyCodeOfAFailureIsOnThePage() throws IOException {
        String failures = Files.readString(Path.of("src/main/java/io/daybook/ledger/api/LedgerException.java"));
        String page = Files.readString(PAGE);

        assertThat(Pattern.compile("return \"([a-z-]+)\";")
                        .matcher(failures)
                        .results()
                        .toList())
                .isNotEmpty()
                .allSatisfy(code -> assertThat(page).contains("| `" + code.group(1) + "` |"));
    }
}
