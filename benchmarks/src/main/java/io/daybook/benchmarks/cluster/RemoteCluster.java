// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that somebody else runs.
 *
 * @param servers ids of its processes on this machine, as far as they are known
 * @param journalDevice a directory on the device of its journals, if it is on this machine
 */
public record RemoteCluster(URI uri, List<Long> servers, Optional<Path> journalDevice) implements BenchCluster {
    @Override
    public String description() {
        return "running at " + uri + (servers.isEmpty() ? ", its processor time is not counted" : "");
    }

    @Override
    public List<Long> pids() {
        List<Long> all = new ArrayList<>(servers);
        all.add(ProcessHandle.current().pid());
        return all;
    }

    @Override
    public boolean outlivesRun() {
        return true;
    }

    @Override
    public void close() {}
}
