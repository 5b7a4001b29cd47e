// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real ZooKeeper in this process for the tests of one class, nested ones included. Each test takes a path of its own. */
final class ZooKeeperExtension implements BeforeAllCallback, AfterAllCallback {
    /** Short ticks, so that sessions may be short. */
    private static final int TICK_MILLIS = 250;

    private final AtomicInteger roots = new AtomicInteger();
    private Optional<TestingServer> server = Optional.empty();
    private int depth;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        begin();
    }

    synchronized void begin() throws Exception {
        if (depth++ == 0) {
            InstanceSpec spec = new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, 1_000);
            server = Optional.of(new TestingServer(spec, true));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        end();
    }

    synchronized void end() throws Exception {
        if (--depth == 0) {
            List<Path> files = configurations(server().getTempDirectory());
            server().close();
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** What ZooKeeper's embedded server leaves in the directory for temporary files at each start: its configuration, which names its data. */
    static List<Path> configurations(File dataDirectory) throws IOException {
        List<Path> own = new ArrayList<>();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(temporary, "zookeeper.configuration*.properties")) {
            for (Path file : files) {
                Properties properties = new Properties();
                try (Reader in = Files.newBufferedReader(file)) {
                    properties.load(in);
                } catch (NoSuchFileException otherTests) {
                    continue;
                }
                if (dataDirectory.getPath().equals(properties.getProperty("dataDir"))) {
                    own.add(file);
                }
            }
        }
        return own;
    }

    synchronized TestingServer server() {
        return server.orElseThrow();
    }

    String servers() {
        return server().getConnectString();
    }

    /** A path that no other test uses. */
    String newRoot() {
        return "/tests/" + roots.incrementAndGet();
    }
}
