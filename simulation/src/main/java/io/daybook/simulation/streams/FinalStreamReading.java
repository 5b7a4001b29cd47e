// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.simulation.workload.ClientNode;
import io.daybook.simulation.workload.Stage;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.OpenMode;
import io.daybook.stream.ReadResult;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamStatus;
import io.daybook.stream.WriterOptions;
import io.daybook.stream.core.StreamsNamespace;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail.FinalStream;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads every stream whole after all faults have ended and all programs are done, and sees that nothing is left of those that are gone. */
public final class FinalStreamReading {
    private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();
    private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int ATTEMPTS_MAX = 60;
    private static final int BATCH = 1000;
    private static final Duration WAIT = Duration.ofMillis(100);

    private final Stage stage;
    private final List<StreamScene> scenes;

    /** Of the streams of a run. */
    public FinalStreamReading(Stage stage, List<StreamScene> scenes) {
        this.stage = stage;
        this.scenes = List.copyOf(scenes);
    }

    /** Takes every stream over, so that all of it is recovered, and reads it. */
    public void readEverything() {
        if (scenes.isEmpty()) {
            return;
        }
        ClientNode judge = stage.node("judge-of-streams");
        judge.start();
        StreamsNamespace namespace = StreamsNamespace.open(judge.client(), judge.stores(), judge.host(), "judge");
        for (StreamScene scene : scenes) {
            try {
                read(namespace, scene);
            } catch (RuntimeException failure) {
                stage.violations()
                        .add(new Violation(
                                "liveness",
                                -1,
                                -1,
                                "stream=" + scene.name() + " cannot be read after all is healed: " + failure));
            }
        }
        new StreamRemains(stage, scenes, judge).awaitNone(namespace);
        await(namespace.shutdown());
        await(judge.client().shutdown());
    }

    private void read(StreamsNamespace namespace, StreamScene scene) {
        List<String> present = scene.names().present();
        for (String name : present.isEmpty() ? List.of(scene.name()) : present) {
            read(namespace, scene, name);
        }
    }

    private void read(StreamsNamespace namespace, StreamScene scene, String name) {
        // Where it was deleted last it is made once more: nothing of those before may be in it.
        OpenMode mode = scene.deletionsTried() > 0 ? OpenMode.CREATE_IF_MISSING : OpenMode.MUST_EXIST;
        LogStream stream = await(namespace.openStream(name, mode, scene.plan().options()));
        if (!await(stream.status()).isSealed()) {
            await(takenOver(stream).closeWriter());
        }
        if (scene.plan().ways().hasRetention()) {
            // Nothing is cut off any more while it is read.
            await(stream.changeOptions(scene.plan().options().withRetention(Duration.ZERO, 0)));
        }
        int call = scene.begin("judge", new FinalStream(name, io.daybook.stream.DLSN.BEFORE_ALL, List.of()));
        LogReader reader = await(stream.openReader(StartPosition.earliest()));
        List<Seen> records = new ArrayList<>();
        boolean more = true;
        while (more) {
            ReadResult result = await(reader.nextBatch(BATCH, WAIT));
            if (result instanceof ReadResult.Records some) {
                some.list().forEach(record -> records.add(scene.seen(name, record)));
            } else {
                more = false;
            }
        }
        reader.close();
        StreamStatus status = await(stream.status());
        scene.end(call, Result.OK, new FinalStream(name, status.firstKept(), records));
    }

    /** Bookies whose disks were full notice that there is room every some seconds: until then there may be too few for a segment. */
    private LogWriter takenOver(LogStream stream) {
        CompletableFuture<LogWriter> opening = opening(stream);
        for (int attempt = 1; attempt < ATTEMPTS_MAX && opening.isCompletedExceptionally(); attempt++) {
            stage.world().runFor(PAUSE_NANOS);
            opening = opening(stream);
        }
        return await(opening);
    }

    private CompletableFuture<LogWriter> opening(LogStream stream) {
        CompletableFuture<LogWriter> opening = stream.openWriter(WriterOptions.DEFAULT.takingOver());
        stage.world().runUntil(opening::isDone, PATIENCE_NANOS);
        return opening;
    }

    private <T> T await(CompletableFuture<T> future) {
        return stage.world().await(future, PATIENCE_NANOS);
    }
}
