// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.faults;

import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Lane;
import io.daybook.simulation.workload.Recoverer;
import io.daybook.simulation.workload.Stage;
import io.daybook.simulation.workload.TailReading;
import java.util.ArrayList;
import java.util.List;

/** Everybody who takes part in a run. Clients that faults may hit are the lanes, then the recoverers. */
public record Cast(Stage stage, List<Lane> lanes, List<Recoverer> recoverers, List<TailReading> readers) {
    /** Copies the lists. */
    public Cast {
        lanes = List.copyOf(lanes);
        recoverers = List.copyOf(recoverers);
        readers = List.copyOf(readers);
    }

    ClientNode client(long number) {
        int place = Math.floorMod(number, lanes.size() + recoverers.size());
        return place < lanes.size()
                ? lanes.get(place).node()
                : recoverers.get(place - lanes.size()).node();
    }

    /** The machines of all clients, readers too. */
    List<String> clientMachines() {
        List<String> machines = new ArrayList<>();
        lanes.forEach(lane -> machines.add(lane.node().machine()));
        recoverers.forEach(recoverer -> machines.add(recoverer.node().machine()));
        readers.forEach(reader -> machines.add(reader.node().machine()));
        return machines;
    }
}
