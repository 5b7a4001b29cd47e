// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Stage;
import io.daybook.stream.OpenMode;
import io.daybook.stream.core.StreamsNamespace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the streams that will be renamed before anything else happens. No program makes one of these itself, unless it is deleted too and gone: one that looked for it when it was not there
 * yet, and makes it when it has left the name, would make another stream.
 */
public final class StreamFounding {
    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

    private final Stage stage;
    private final List<StreamScene> scenes;

    /** Of the streams of a run. */
    public StreamFounding(Stage stage, List<StreamScene> scenes) {
        this.stage = stage;
        this.scenes = scenes.stream().filter(StreamScene::isRenamed).toList();
    }

    /** Makes them; does nothing when there are none. */
    public void found() {
        if (scenes.isEmpty()) {
            return;
        }
        ClientNode founder = stage.node("founder");
        founder.start();
        StreamsNamespace namespace =
                StreamsNamespace.open(founder.client(), founder.stores(), founder.host(), "founder");
        for (StreamScene scene : scenes) {
            await(namespace.openStream(
                    scene.name(), OpenMode.CREATE_NEW, scene.plan().options()));
        }
        await(namespace.shutdown());
        await(founder.client().shutdown());
    }

    private <T> T await(CompletableFuture<T> future) {
        return stage.world().await(future, PATIENCE_NANOS);
    }
}
