// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.faults;

import io.daybook.simulation.streams.StreamScene;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Lane;
import io.daybook.simulation.workload.Recoverer;
import io.daybook.simulation.workload.Stage;
import io.daybook.simulation.workload.Workload;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everybody who takes part in a run.
 *
 * @param lanes the writers of ledgers, whose appends and ledgers faults are anchored at
 * @param recoverers those who recover what a lane leaves open
 * @param scenes the streams
 * @param nodes all client nodes, once each
 */
public record Cast(
        Stage stage, List<Lane> lanes, List<Recoverer> recoverers, List<StreamScene> scenes, List<ClientNode> nodes) {
    /** Copies the lists. */
    public Cast {
        lanes = List.copyOf(lanes);
        recoverers = List.copyOf(recoverers);
        scenes = List.copyOf(scenes);
        nodes = List.copyOf(nodes);
    }

    /** The client of that number, among those of the lanes, then the recoverers. */
    ClientNode client(long number) {
        int place = Math.floorMod(number, lanes.size() + recoverers.size());
        return place < lanes.size()
                ? lanes.get(place).node()
                : recoverers.get(place - lanes.size()).node();
    }

    /** The node of that number, among all. */
    ClientNode anyClient(long number) {
        return nodes.get(Math.floorMod(number, nodes.size()));
    }

    /** The machines of all clients. */
    List<String> clientMachines() {
        return nodes.stream().map(ClientNode::machine).toList();
    }

    /** Everything that is done in the processes of all clients. */
    public Stream<Workload> workloads() {
        return nodes.stream().flatMap(node -> node.workloads().stream());
    }
}
