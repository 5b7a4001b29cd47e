// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything public of {@code ledger.api} is documented; that references and syntax are right the build checks by itself. */
final class LedgerApiJavadocTest {
    private static final Path API = Path.of("src/main/java/io/daybook/ledger/api");
    private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

    @TempDir
    private Path classes;

    /** What has no comment, as file and line. */
    private List<String> undocumented(Iterable<? extends JavaFileObject> sources) {
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-proc:none",
                "-d",
                classes.toString(),
                "-classpath",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "-Xmaxwarns",
                "1000",
                "-Xdoclint:missing/protected");
        boolean isCompiled =
                JAVAC.getTask(null, null, told, options, null, sources).call();
        assertThat(isCompiled).as("%s", told.getDiagnostics()).isTrue();
        return told.getDiagnostics().stream()
                .filter(each -> each.getMessage(Locale.ROOT).contains("no comment"))
                .map(each -> each.getSource().getName() + ":" + each.getLineNumber())
                .toList();
    }

    @Test
    void everythingPublicIsDocumented() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(API)) {
            all.sorted().forEach(files::add);
        }
        try (StandardJavaFileManager manager = JAVAC.getStandardFileManager(null, null, null)) {
            assertThat(undocumented(manager.getJavaFileObjectsFromPaths(files))).isEmpty();
        }
    }

    @Test
    void whatIsNotDocumentedIsFound() {
        JavaFileObject bare = new SimpleJavaFileObject(URI.create("string:///Bare.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return "/** A class. */ public final class Bare { private Bare() {}\n public static void bare() {} }";
            }
        };

        assertThat(undocumented(List.of(bare))).hasSize(1);
    }
}
