// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** Everything of the outside world that one process is given: its ports, and loops to run on. */
public interface Host {
    /** What a loop is for. */
    enum LoopKind {
        /** Carries links; must never wait for anything but a journal commit. */
        NETWORK,
        /** May block in disk calls; carries no links. */
        STORAGE
    }

    /** Starts a loop. The owner closes it. A task that throws is given to the host's failure handler. */
    EventLoop newLoop(String name, LoopKind kind);

    /** The network. */
    Network network();

    /** The disk whose root is {@code rootPath}: a path of the host's file system. */
    Disk disk(String rootPath);

    /** Chance for this process. Call {@link RandomSource#fork} once per entity. */
    RandomSource random();

    /** Fault points. */
    Faults faults();

    /** Stops the process at once, as after a failed fsync: nothing more is acknowledged. Does not return in production. */
    void halt(int exitCode, String reason);

    /** A host that is another one, but for what is overridden. */
    interface Forwarding extends Host {
        /** The other one. */
        Host host();

        @Override
        default EventLoop newLoop(String name, LoopKind kind) {
            return host().newLoop(name, kind);
        }

        @Override
        default Network network() {
            return host().network();
        }

        @Override
        default Disk disk(String rootPath) {
            return host().disk(rootPath);
        }

        @Override
        default RandomSource random() {
            return host().random();
        }

        @Override
        default Faults faults() {
            return host().faults();
        }

        @Override
        default void halt(int exitCode, String reason) {
            host().halt(exitCode, reason);
        }
    }
}
