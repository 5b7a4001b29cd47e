// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation;

import io.daybook.simulation.faults.Cast;
import io.daybook.simulation.plan.LanePlan;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.StreamPlan;
import io.daybook.simulation.streams.StreamDeleter;
import io.daybook.simulation.streams.StreamFollower;
import io.daybook.simulation.streams.StreamKeeper;
import io.daybook.simulation.streams.StreamOwner;
import io.daybook.simulation.streams.StreamRenamer;
import io.daybook.simulation.streams.StreamScene;
import io.daybook.simulation.streams.StreamSubscriber;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Housekeeping;
import io.daybook.simulation.workload.Lane;
import io.daybook.simulation.workload.Recoverer;
import io.daybook.simulation.workload.Stage;
import io.daybook.simulation.workload.TailReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Gives every part in a plan to somebody: which workloads there are and on which client nodes they run. A new kind of workload is put on a node here. */
final class Casting {
    private static final long SECOND = 1_000_000_000L;
    private static final long MICRO = 1_000;
    private static final long REST_NANOS = SECOND / 20;
    private static final int HOUSEKEEPING_COUNT = 40;
    private static final int FOLLOWERS = 2;

    private final Plan plan;
    private final Stage stage;
    private final Map<Integer, ClientNode> shared = new TreeMap<>();
    private final List<Recoverer> recoverers = new ArrayList<>();
    private final List<Lane> lanes = new ArrayList<>();
    private final List<StreamScene> scenes = new ArrayList<>();
    private final List<ClientNode> nodes = new ArrayList<>();

    private Casting(Plan plan, Stage stage) {
        this.plan = plan;
        this.stage = stage;
    }

    static Cast of(Plan plan, Stage stage) {
        return new Casting(plan, stage).cast();
    }

    private Cast cast() {
        for (int i = 0; i < plan.recoverers(); i++) {
            Recoverer recoverer = new Recoverer(node("recoverer-" + i));
            recoverer.node().add(recoverer);
            recoverers.add(recoverer);
        }
        for (int i = 0; i < plan.lanes().size(); i++) {
            addLane(i, plan.lanes().get(i));
        }
        for (int i = 0; i < lanes.size(); i++) {
            ClientNode reader = node("reader-" + i);
            reader.add(new TailReading(reader, lanes.get(i)));
        }
        for (int i = 0; i < plan.streams().size(); i++) {
            addStream(
                    new StreamScene(stage, "s" + i, plan.streams().get(i)),
                    plan.streams().get(i));
        }
        ClientNode keeper = node("keeper");
        keeper.add(new Housekeeping(keeper, plan.faultsMicros() * MICRO / HOUSEKEEPING_COUNT));
        return new Cast(stage, lanes, recoverers, scenes, nodes);
    }

    private void addLane(int number, LanePlan lanePlan) {
        String name = "writer-" + number;
        ClientNode node = lanePlan.process() == LanePlan.ALONE
                ? node(name)
                : shared.computeIfAbsent(lanePlan.process(), process -> node("writers-" + process));
        Recoverer recoverer = recoverers.get(number % recoverers.size());
        long restNanos = lanePlan.pauseMicros() == 0 ? plan.faultsMicros() * MICRO / lanePlan.sessions() : REST_NANOS;
        Lane lane = new Lane(node, name, lanePlan, restNanos, recoverer::recover);
        node.add(lane);
        lanes.add(lane);
    }

    /** Programs of streams run beside writers and recoverers of ledgers, in the same processes: faults that hit these hit them. */
    private void addStream(StreamScene scene, StreamPlan streamPlan) {
        scenes.add(scene);
        for (int owner = 0; owner < streamPlan.owners(); owner++) {
            ClientNode node = lanes.isEmpty()
                    ? node("owner-" + owner)
                    : lanes.get(owner % lanes.size()).node();
            node.add(new StreamOwner(node, scene, owner));
        }
        for (int i = 0; i < FOLLOWERS; i++) {
            ClientNode node = recoverers.get(i % recoverers.size()).node();
            node.add(new StreamFollower(node, scene, i));
        }
        for (int i = 0; i < streamPlan.subscribers(); i++) {
            ClientNode node = recoverers.get((i + 1) % recoverers.size()).node();
            node.add(new StreamSubscriber(node, scene, i));
        }
        ClientNode node = node("keeper-" + scene.name());
        node.add(new StreamKeeper(node, scene, plan.faultsMicros() * MICRO / HOUSEKEEPING_COUNT));
        if (streamPlan.deletions() > 0) {
            addDeleters(scene, List.of(node, recoverers.get(0).node()), streamPlan.deletions());
        }
        if (streamPlan.renames() > 0) {
            addRenamers(scene, List.of(node, recoverers.get(0).node()), streamPlan.renames());
        }
    }

    /** All their deletions together take about as long as faults may happen. */
    private void addDeleters(StreamScene scene, List<ClientNode> on, int deletions) {
        long restNanos = plan.faultsMicros() * MICRO * on.size() / (deletions + 1);
        for (int i = 0; i < on.size(); i++) {
            on.get(i).add(new StreamDeleter(on.get(i), scene, i, restNanos));
        }
    }

    /** All their renames together take about as long as faults may happen. */
    private void addRenamers(StreamScene scene, List<ClientNode> on, int renames) {
        long restNanos = plan.faultsMicros() * MICRO * on.size() / (renames + 1);
        for (int i = 0; i < on.size(); i++) {
            on.get(i).add(new StreamRenamer(on.get(i), scene, i, restNanos));
        }
    }

    private ClientNode node(String machine) {
        ClientNode node = stage.node(machine);
        nodes.add(node);
        return node;
    }
}
