// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks;

import io.daybook.benchmarks.load.LoadRun;
import io.daybook.benchmarks.load.TailLane;
import io.daybook.benchmarks.report.Delivery;
import io.daybook.metadata.model.Quorums;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.StartPosition;
import io.daybook.stream.StreamOptions;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Appends records to a new stream, of which a reader with links of its own follows; deletes the stream at the end. */
public final class StreamTail implements Workload {
    private final String name;
    private final Namespace writing;
    private final Namespace reading;
    private final Quorums quorums;
    private final int payloadBytes;
    private final LogWriter writer;
    private final LogReader reader;
    private final TailLane lane;

    private StreamTail(String name, List<Namespace> sides, Quorums quorums, int payloadBytes) {
        this.name = name;
        this.writing = sides.get(0);
        this.reading = sides.get(1);
        this.quorums = quorums;
        this.payloadBytes = payloadBytes;
        StreamOptions options =
                StreamOptions.DEFAULT.withQuorums(quorums.ensembleSize(), quorums.writeQuorum(), quorums.ackQuorum());
        LogStream written =
                writing.openStream(name, OpenMode.CREATE_NEW, options).join();
        this.writer = written.openWriter().join();
        this.reader = reading.openStream(name, OpenMode.MUST_EXIST, options)
                .join()
                .openReader(StartPosition.earliest())
                .join();
        this.lane = new TailLane(writer, reader, LedgerAppends.payloadOf(payloadBytes));
    }

    /** Makes the stream and opens both sides; throws what that fails with. */
    public static StreamTail open(URI uri, Quorums quorums, int payloadBytes) {
        String name = StreamAppends.newName(0);
        Namespace writing = Namespace.open(uri.toString());
        Namespace reading = writing;
        try {
            reading = Namespace.open(uri.toString());
            return new StreamTail(name, List.of(writing, reading), quorums, payloadBytes);
        } catch (RuntimeException failure) {
            writing.delete(name).exceptionally(left -> null).join();
            reading.close();
            writing.close();
            throw failure;
        }
    }

    @Override
    public String what() {
        return "tail";
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
    public List<TailLane> lanes() {
        return List.of(lane);
    }

    @Override
    public LoadRun.Edges edges() {
        return lane;
    }

    @Override
    public Optional<Delivery> delivery() throws InterruptedException {
        return Optional.of(lane.delivery());
    }

    @Override
    public void close() {
        reader.close();
        writer.closeWriter().exceptionally(failed -> null).join();
        writing.delete(name).exceptionally(left -> null).join();
        reading.close();
        writing.close();
    }
}
