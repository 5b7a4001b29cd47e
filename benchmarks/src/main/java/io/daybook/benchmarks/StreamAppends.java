// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.load.StreamLane;
import io.daybook.metadata.model.Quorums;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StreamOptions;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Appends records to new streams, and deletes these at the end. */
public final class StreamAppends implements Workload {
    private static final String PREFIX = "bench/" + ProcessHandle.current().pid() + "-";

    private final Namespace namespace;
    private final Quorums quorums;
    private final int payloadBytes;
    private final List<String> names = new ArrayList<>();
    private final List<LogWriter> writers = new ArrayList<>();
    private final List<StreamLane> lanes = new ArrayList<>();

    private StreamAppends(Namespace namespace, Quorums quorums, int payloadBytes) {
        this.namespace = namespace;
        this.quorums = quorums;
        this.payloadBytes = payloadBytes;
    }

    /** Makes so many streams; throws what that fails with. */
    public static StreamAppends open(URI uri, int streams, Quorums quorums, int payloadBytes) {
        StreamAppends appends = new StreamAppends(Namespace.open(uri.toString()), quorums, payloadBytes);
        try {
            for (int i = 0; i < streams; i++) {
                appends.add(newName(i));
            }
            return appends;
        } catch (RuntimeException failure) {
            appends.close();
            throw failure;
        }
    }

    /** A name that no other run uses. */
    static String newName(int number) {
        return PREFIX + System.nanoTime() + "-" + number;
    }

    private void add(String name) {
        StreamOptions options =
                StreamOptions.DEFAULT.withQuorums(quorums.ensembleSize(), quorums.writeQuorum(), quorums.ackQuorum());
        names.add(name);
        LogWriter writer = namespace
                .openStream(name, OpenMode.CREATE_NEW, options)
                .join()
                .openWriter()
                .join();
        writers.add(writer);
        lanes.add(new StreamLane(writer, LedgerAppends.payloadOf(payloadBytes)));
    }

    @Override
    public String what() {
        return "stream append";
    }

    @Override
    public int payloadBytes() {
        return payloadBytes;
    }

    @Override
    public String quorums() {
        return quorums.toString();
    }

    @Override
    public int copies() {
        return quorums.writeQuorum();
    }

    @Override
    public List<StreamLane> lanes() {
        return lanes;
    }

    @Override
    public void close() {
        writers.forEach(
                writer -> writer.closeWriter().exceptionally(failed -> null).join());
        lanes.forEach(StreamLane::close);
        names.forEach(name -> namespace.delete(name).exceptionally(left -> null).join());
        namespace.close();
    }
}
