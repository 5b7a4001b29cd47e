// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import io.daybook.runtime.contract.LinkContract;
import io.daybook.runtime.contract.PortsUnderTest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the real machine with default settings. */
final class SystemLinkTest extends LinkContract {
    @TempDir
    Path directory;

    @Override
    protected PortsUnderTest start() {
        return new SystemPorts(directory, Map.of());
    }
}
