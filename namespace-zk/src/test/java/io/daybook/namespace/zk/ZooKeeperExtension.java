// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import java.util.Optional;
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
    public synchronized void beforeAll(ExtensionContext context) throws Exception {
        if (depth++ == 0) {
            InstanceSpec spec = new InstanceSpec(null, -1, -1, -1, true, -1, TICK_MILLIS, 1_000);
            server = Optional.of(new TestingServer(spec, true));
        }
    }

    @Override
    public synchronized void afterAll(ExtensionContext context) throws Exception {
        if (--depth == 0) {
            server().close();
        }
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
