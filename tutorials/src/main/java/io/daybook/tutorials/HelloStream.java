// SPDX-License-Identifier: Apache-2.0
package io.daybook.tutorials;

import io.daybook.stream.DLSN;
import io.daybook.stream.LogReader;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.Namespace;
import io.daybook.stream.OpenMode;
import io.daybook.stream.PositionedRecord;
import io.daybook.stream.StartPosition;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Writes ten records to a stream, reads them back, and follows the stream while one more arrives. */
public final class HelloStream {
    private static final int RECORDS = 10;

    private final PrintStream out;

    HelloStream(PrintStream out) {
        this.out = out;
    }

    /** Runs against the namespace given as {@code --namespace URI}, or against a cluster that lasts as long as the program. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (Cluster cluster = Cluster.of(arguments)) {
            new HelloStream(out).run(cluster.uri(), "tutorial/hello");
        }
    }

    void run(String namespaceUri, String streamName) {
        // A namespace holds the streams of one cluster. It owns threads and connections: close it at the end.
        try (Namespace namespace = Namespace.open(namespaceUri)) {
            LogStream stream =
                    namespace.openStream(streamName, OpenMode.CREATE_IF_MISSING).join();
            DLSN before = write(stream);
            readBack(stream, before);
            follow(stream);
        }
    }

    /** Appends the records and returns the position after which they stand. */
    private DLSN write(LogStream stream) {
        // Opening a writer takes the stream over: whoever wrote to it before can no longer add anything.
        try (LogWriter writer = stream.openWriter().join()) {
            DLSN before = writer.lastPosition();
            // The transaction id is our own position. Here it is a counter that goes on where an earlier run has
            // stopped.
            long transactionId = writer.lastTransactionId();
            List<CompletableFuture<DLSN>> outcomes = new ArrayList<>();
            for (int i = 1; i <= RECORDS; i++) {
                outcomes.add(writer.append(LogRecord.of(++transactionId, "hello " + i)));
            }
            // An append completes when the record is on disk at two of three bookies; from then on every reader can see
            // it.
            for (CompletableFuture<DLSN> outcome : outcomes) {
                out.println("wrote " + outcome.join());
            }
            return before;
        }
    }

    private void readBack(LogStream stream, DLSN before) {
        // Any number of readers may read a stream; none disturbs the writer. drain() ends at what is the end of the
        // stream now.
        try (LogReader reader = stream.openReader(StartPosition.after(before)).join()) {
            for (PositionedRecord record : reader.drain()) {
                print("read", record);
            }
        }
    }

    private void follow(LogStream stream) {
        try (LogWriter writer = stream.openWriter().join();
                LogReader reader = stream.openReader(StartPosition.after(writer.lastPosition()))
                        .join()) {
            // There is nothing to read yet: the future completes when a record arrives, wherever it was written.
            CompletableFuture<PositionedRecord> next = reader.next();
            writer.appendAndWait(LogRecord.of(writer.lastTransactionId() + 1, "one more"));
            print("followed", next.join());
        }
    }

    private void print(String verb, PositionedRecord record) {
        out.println(verb + " " + record.position() + " transaction " + record.transactionId() + " '"
                + record.payloadText() + "'");
    }
}
