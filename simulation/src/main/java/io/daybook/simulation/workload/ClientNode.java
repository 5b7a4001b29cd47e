// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.metadata.MetadataStores;
import io.daybook.runtime.simulated.SimulatedHost;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A machine on which a process with a ledger client runs, and runs again after a crash; workloads share the process. */
public final class ClientNode {
    private final Stage stage;
    private final String machine;
    private final List<Workload> workloads = new ArrayList<>();
    private @Nullable SimulatedHost host;
    private @Nullable LedgerClient client;
    private @Nullable MetadataStores stores;
    private int incarnation;

    ClientNode(Stage stage, String machine) {
        this.stage = stage;
        this.machine = machine;
    }

    /** What it takes part in. */
    public Stage stage() {
        return stage;
    }

    /** Its name on the network. */
    public String machine() {
        return machine;
    }

    /** Lets a workload run in its processes, from the next one on. */
    public void add(Workload workload) {
        workloads.add(workload);
    }

    /** What runs in its processes. */
    public List<Workload> workloads() {
        return Collections.unmodifiableList(workloads);
    }

    /** The name of the process that runs now, in the history. */
    public String process() {
        return machine + '.' + incarnation;
    }

    /** Counts the processes that ran on it. What belongs to an earlier one is not heard of any more. */
    public int incarnation() {
        return incarnation;
    }

    /** Whether a process runs. */
    public boolean isUp() {
        return host != null && host.isAlive();
    }

    /** The client of the process that runs. */
    public LedgerClient client() {
        if (client == null) {
            throw new IllegalStateException(machine + " was never started");
        }
        return client;
    }

    /** The metadata session of the process that runs. */
    public MetadataStores stores() {
        if (stores == null) {
            throw new IllegalStateException(machine + " was never started");
        }
        return stores;
    }

    /** The host of the process that runs. */
    public SimulatedHost host() {
        if (host == null) {
            throw new IllegalStateException(machine + " was never started");
        }
        return host;
    }

    /** Runs a task after a while, unless the process that runs now has ended by then. */
    public void later(long nanos, Runnable task) {
        int present = incarnation;
        stage.world().after(nanos, () -> {
            if (isUp() && incarnation == present) {
                task.run();
            }
        });
    }

    /** Starts a process, unless one runs; its workloads go on. */
    public void start() {
        if (isUp()) {
            return;
        }
        incarnation++;
        SimulatedHost started = stage.world().machine(machine).start();
        MetadataStores session = stage.cluster().newSession(machine);
        host = started;
        stores = session;
        client = DaybookLedgerClient.open(stage.clientConfig(), started, session, SimulatedCluster.CLUSTER);
        workloads.forEach(Workload::started);
    }

    /** Ends the process, if one runs, as a loss of power does. Its session with the metadata store lasts for a while. */
    public void crash(long sessionNanos) {
        if (!isUp()) {
            return;
        }
        stage.history().crashed(process(), stage.world().nanoTime());
        stage.cluster().sessionExpires(machine, sessionNanos);
        stage.world().machine(machine).crash();
        workloads.forEach(Workload::crashed);
    }
}
