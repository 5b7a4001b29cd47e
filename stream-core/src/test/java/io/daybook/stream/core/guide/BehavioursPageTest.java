// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/behaviours.md} names every behaviour once, in order, with tests that exist or a reason. */
final class BehavioursPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/behaviours.md");
    private static final int FIRST = 1;
    private static final int LAST = 150;
    private static final Pattern ROW = Pattern.compile("^\\| D-(\\d+) \\| (.+) \\| (.+) \\|$", Pattern.MULTILINE);
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|Behaviour|Contract|IT))(?:\\.(\\w+))?`");
    private static final List<String> REASONS =
            List.of("Differs", "Not built", "Not applicable", "Cannot happen", "Later work");

    private static List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(PAGE)).results().toList();
    }

    @Test
    void everyBehaviourIsOnThePageOnceInOrder() throws IOException {
        List<Integer> numbers =
                rows().stream().map(row -> Integer.parseInt(row.group(1))).toList();

        assertThat(numbers).isEqualTo(IntStream.rangeClosed(FIRST, LAST).boxed().toList());
    }

    @Test
    void everyBehaviourHasATestOrAReason() throws IOException {
        for (MatchResult row : rows()) {
            boolean hasReason = REASONS.stream().anyMatch(row.group(3)::contains);

            assertThat(hasReason || TEST.matcher(row.group(3)).find())
                    .as(row.group())
                    .isTrue();
        }
    }

    @Test
    void everyTestNamedOnThePageExists() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        for (MatchResult row : rows()) {
            TEST.matcher(row.group(3))
                    .results()
                    .filter(test -> !exists(test, sources))
                    .map(test -> "D-" + row.group(1) + ": " + test.group(1) + '.' + test.group(2))
                    .forEach(missing::add);
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void everyTestNamedOnThePageCarriesTheNumber() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        for (MatchResult row : rows()) {
            Pattern number = Pattern.compile("\\bD-" + row.group(1) + "\\b");
            TEST.matcher(row.group(3))
                    .results()
                    .filter(test -> !number.matcher(cited(test, sources)).find())
                    .map(test -> "D-" + row.group(1) + " in " + test.group(1) + '.' + test.group(2))
                    .forEach(missing::add);
        }

        assertThat(missing).isEmpty();
    }

    private static boolean exists(MatchResult test, Map<String, String> sources) {
        String source = sources.get(test.group(1));
        return source != null && (test.group(2) == null || source.contains("void " + test.group(2) + "("));
    }

    /** The text of a method that is named, with what stands right above it, or of the whole class. */
    private static String cited(MatchResult test, Map<String, String> sources) {
        String source = sources.getOrDefault(test.group(1), "");
        int name = test.group(2) == null ? -1 : source.indexOf("void " + test.group(2) + "(");
        if (name < 0) {
            return source;
        }
        String above = source.substring(0, name);
        int begin = Math.max(above.lastIndexOf("\n    }\n"), above.lastIndexOf(";\n\n"));
        return source.substring(Math.max(0, begin), source.indexOf("\n    }\n", name));
    }

    /** The text of every test class of the project by its simple name. */
    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        List<Path> modules;
        try (Stream<Path> children = Files.list(ROOT)) {
            modules = children.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList();
        }
        for (Path tests : modules) {
            try (Stream<Path> files = Files.walk(tests)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    sources.merge(name, Files.readString(file), String::concat);
                }
            }
        }
        return sources;
    }
}
