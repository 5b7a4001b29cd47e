// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/edge-cases.md} names every edge case, only tests that exist and name the case, and every transcript. */
final class EdgeCasesPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/edge-cases.md");
    private static final Path TRANSCRIPTS = Path.of("src/test/resources/transcripts");
    private static final String BEGIN = "<!-- transcripts: written by EdgeCasesPageTest -->\n";
    private static final String END = "<!-- end of transcripts -->\n";
    private static final Pattern ROW = Pattern.compile("^\\| ([PS])-(\\d+) \\| (.*) \\| (.*) \\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /** The numbers that are in use: there are gaps between the areas. */
    private static List<Integer> cases() {
        return Stream.of(range(1, 34), range(40, 49), range(50, 75), range(80, 101), range(110, 126))
                .flatMap(IntStream::boxed)
                .toList();
    }

    private static IntStream range(int from, int to) {
        return IntStream.rangeClosed(from, to);
    }

    private static List<MatchResult> rows(String area) throws IOException {
        return ROW.matcher(Files.readString(PAGE))
                .results()
                .filter(row -> row.group(1).equals(area))
                .toList();
    }

    private static List<String> testsOf(MatchResult row) {
        return NAME.matcher(row.group(4)).results().map(name -> name.group(1)).toList();
    }

    @Test
    void everyCaseIsOnThePageOnceInOrder() throws IOException {
        List<Integer> numbers =
                rows("P").stream().map(row -> Integer.parseInt(row.group(2))).toList();

        assertThat(numbers).isEqualTo(cases());
    }

    @Test
    void everyCaseHasATestOrAReason() throws IOException {
        for (MatchResult row : rows("P")) {
            boolean hasReason = row.group(3).matches("(Not built|Not applicable|Cannot happen).*");

            assertThat(hasReason || !testsOf(row).isEmpty()).as(row.group()).isTrue();
        }
        assertThat(rows("S"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(testsOf(row)).as(row.group()).isNotEmpty());
    }

    @Test
    void everyTestNamedOnThePageExists() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        for (String area : List.of("P", "S")) {
            for (MatchResult row : rows(area)) {
                testsOf(row).stream()
                        .filter(name -> !exists(name, sources))
                        .map(name -> area + "-" + row.group(2) + ": " + name)
                        .forEach(missing::add);
            }
        }

        assertThat(missing).isEmpty();
    }

    /** Whoever changes a test sees which case it shows. */
    @Test
    void everyTestThatShowsACaseNamesIt() throws IOException {
        Map<String, String> sources = testSources();
        List<String> silent = new ArrayList<>();
        for (String area : List.of("P", "S")) {
            for (MatchResult row : rows(area)) {
                silent.addAll(silentOf(area + "-" + row.group(2), testsOf(row), sources));
            }
        }

        assertThat(silent).isEmpty();
    }

    private static List<String> silentOf(String id, List<String> names, Map<String, String> sources)
            throws IOException {
        Pattern named = Pattern.compile(id + "\\b");
        List<String> silent = new ArrayList<>();
        for (String name : names) {
            if (!named.matcher(textOf(name, sources)).find()) {
                silent.add(id + ": " + name);
            }
        }
        return silent;
    }

    /** A transcript, a test class, or a test method from the comment before it to its end. */
    private static String textOf(String name, Map<String, String> sources) throws IOException {
        if (name.endsWith(".txt")) {
            return Files.readString(TRANSCRIPTS.resolve(name));
        }
        String[] parts = name.split("\\.", 2);
        String source = sources.getOrDefault(parts[0], "");
        if (parts.length == 1) {
            return source;
        }
        Matcher method = method(parts[1]).matcher(source);
        if (!method.find()) {
            return "";
        }
        int end = source.indexOf("\n    }\n", method.start());
        return source.substring(source.lastIndexOf("\n\n", method.start()), end < 0 ? source.length() : end);
    }

    private static Pattern method(String name) {
        return Pattern.compile("(void|ArchRule) " + name + "\\b");
    }

    private static boolean exists(String name, Map<String, String> sources) {
        if (name.endsWith(".txt")) {
            return Files.exists(TRANSCRIPTS.resolve(name));
        }
        String[] parts = name.split("\\.", 2);
        String source = sources.get(parts[0]);
        return source != null
                && (parts.length == 1 || method(parts[1]).matcher(source).find());
    }

    /** The text of every test class of the project by its simple name. */
    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.sorted().toList()) {
                Path tests = module.resolve("src/test/java");
                if (Files.isDirectory(tests)) {
                    addSources(tests, sources);
                }
            }
        }
        return sources;
    }

    private static void addSources(Path tests, Map<String, String> sources) throws IOException {
        try (Stream<Path> files = Files.walk(tests)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java")) {
                    sources.merge(
                            name.substring(0, name.length() - ".java".length()),
                            Files.readString(file),
                            String::concat);
                }
            }
        }
    }

    @Test
    void thePageListsEveryTranscriptWithItsFirstLines() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        assertThat(begin).isBetween(BEGIN.length(), end);
        String expected = "\n" + index() + "\n";

        if (Boolean.getBoolean("daybook.transcripts.write")) {
            Files.writeString(PAGE, page.substring(0, begin) + expected + page.substring(end));
        } else {
            assertThat(page.substring(begin, end)).isEqualTo(expected);
        }
    }

    private static String index() throws IOException {
        StringBuilder index = new StringBuilder();
        try (Stream<Path> files = Files.list(TRANSCRIPTS)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                String told = Files.readString(file)
                        .lines()
                        .takeWhile(line -> line.startsWith("# "))
                        .map(line -> line.substring(2))
                        .collect(Collectors.joining(" "));
                assertThat(told).as("the first line of %s", name).isNotBlank();
                index.append("- [")
                        .append(name)
                        .append("](../ledger-layer/src/test/resources/transcripts/")
                        .append(name)
                        .append("): ")
                        .append(told)
                        .append('\n');
            }
        }
        return index.toString();
    }
}
