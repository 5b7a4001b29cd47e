// SPDX-License-Identifier: Apache-2.0
package io.daybook.testkit.cluster;

import io.daybook.runtime.Disk;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A host whose process can die although the process around it lives on: its loops stop after the task that is running, its sockets close, nothing
 * reaches its disks any more and its directories are free. What it had in memory is lost.
 *
 * <p><i>Threading:</i> any thread. {@link #die} must not be called from a loop of the host; {@link #halt} may.
 */
final class MortalHost implements Host.Forwarding {
    private final Host host;
    private final BiConsumer<Integer, String> onHalt;
    private final List<EventLoop> loops = new ArrayList<>();
    private final List<MortalDisk> disks = new ArrayList<>();
    private boolean dead;

    /** {@code onHalt} is told, once, code and reason when the host ends itself; it is called on one of the host's loops. */
    MortalHost(Host host, BiConsumer<Integer, String> onHalt) {
        this.host = host;
        this.onHalt = onHalt;
    }

    @Override
    public Host host() {
        return host;
    }

    @Override
    public synchronized EventLoop newLoop(String name, LoopKind kind) {
        if (dead) {
            throw new HostDied("a dead host starts no loop");
        }
        EventLoop loop = host.newLoop(name, kind);
        loops.add(loop);
        return loop;
    }

    @Override
    public synchronized Disk disk(String rootPath) {
        if (dead) {
            throw new HostDied("a dead host has no disk");
        }
        MortalDisk disk = new MortalDisk(host.disk(rootPath));
        disks.add(disk);
        return disk;
    }

    /** Ends the host and unwinds the task that called: like the real one it does not return. */
    @Override
    public void halt(int exitCode, String reason) {
        if (stopLoops()) {
            onHalt.accept(exitCode, reason);
        }
        throw new HostDied(reason);
    }

    /** Ends the host. When it returns nothing that the host began can change a file any more. */
    void die() {
        stopLoops();
        List<MortalDisk> left;
        synchronized (this) {
            left = List.copyOf(disks);
        }
        left.forEach(MortalDisk::die);
    }

    private synchronized boolean stopLoops() {
        boolean first = !dead;
        dead = true;
        loops.forEach(EventLoop::close);
        return first;
    }

    /** Unwinds a task of a host that is dead. */
    static final class HostDied extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HostDied(String reason) {
            super(reason);
        }
    }
}
