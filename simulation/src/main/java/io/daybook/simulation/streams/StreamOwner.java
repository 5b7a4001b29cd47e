// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.streams;

import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.events.SimulatedRandom;
import io.daybook.simulation.streams.StreamNames.Place;
import io.daybook.simulation.workload.ClientNode;
import io.daybook.stream.DLSN;
import io.daybook.stream.LogRecord;
import io.daybook.stream.LogStream;
import io.daybook.stream.LogWriter;
import io.daybook.stream.StreamException;
import io.daybook.stream.WriterOptions;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.StreamDetail;
import io.daybook.testkit.check.StreamDetail.Appends;
import io.daybook.testkit.check.StreamDetail.Found;
import io.daybook.testkit.check.StreamDetail.OpenWriter;
import io.daybook.testkit.check.StreamDetail.Poll;
import io.daybook.testkit.check.StreamDetail.Seen;
import io.daybook.testkit.check.Value;
import io.daybook.testkit.check.Violation;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A program that writes a stream: it opens a writer, sometimes from somebody who has it, appends in bursts, and opens another one after a failure. In a
 * strict stream it sends again what had an unknown outcome, with the same transaction ids (S9).
 *
 * <p><i>States:</i> opening → sending again → appending → resting → opening …; done when its appends are made, the last owner after it has sealed.
 */
public final class StreamOwner extends StreamProgram {
    /** An entry must fit into the slabs of every bookie, also of one that is started again with the smallest. */
    private static final int BATCH_BYTES_MAX = 8 * 1024;

    private static final long MICRO = 1_000;
    private static final int BATCH_MAX = 3;
    private static final int FLUSH_ONE_IN = 4;

    private final int number;
    private final Deque<Sent> unsettled = new ArrayDeque<>();
    private final SimulatedRandom ways;
    private int appendsBegun;
    private long lastIdUsed;
    private boolean isDone;
    private @Nullable Session session;

    /** A record that was appended, after so many deletions were over; {@code isOfBatch} when it was one of several. */
    private record Sent(LogRecord record, Value value, boolean isOfBatch, int deletions) {}

    /** Owner {@code number} of its stream, from 0; its transaction ids are its own. */
    public StreamOwner(ClientNode node, StreamScene scene, int number) {
        super(node, scene, "owner" + number);
        this.number = number;
        this.ways = scene.random("flushes of " + number);
    }

    @Override
    public boolean isDone() {
        return isDone;
    }

    @Override
    public String describe() {
        return node().machine() + " has made " + appendsBegun + " of "
                + scene().plan().appends() + " appends to stream " + scene().name();
    }

    @Override
    void ended() {
        session = null;
    }

    @Override
    void opened(LogStream stream) {
        String process = newHandle();
        WriterOptions options = random().below(2) == 0
                ? WriterOptions.DEFAULT.takingOver()
                : WriterOptions.DEFAULT.waitingFor(Duration.ofMillis(random().below(500)));
        boolean lingers = random().below(4) == 0;
        options = options.withBatches(
                lingers ? Duration.ofMillis(random().below(3)) : Duration.ZERO, lingers ? 4096 : BATCH_BYTES_MAX);
        String name = stream.name();
        int call = scene().begin(process, new OpenWriter(name, -1));
        int deletions = scene().deletionsOver();
        stream.openWriter(options).whenComplete((writer, failure) -> {
            long lastId = failure == null ? writer.lastTransactionId() : -1;
            scene().end(call, scene().resultOf(failure), new OpenWriter(name, lastId));
            if (failure == null) {
                Session begun = new Session(writer, name, process, deletions);
                session = begun;
                begun.sendAgain();
            } else if (Failures.rootOf(failure) instanceof StreamException.EndOfStream) {
                scene().sealed();
                done();
            } else {
                follow(failure, null);
                openLater();
            }
        });
    }

    private void done() {
        isDone = true;
        session = null;
        scene().ownerDone();
        finish();
    }

    /** The time with one writer handle. */
    private final class Session {
        private final LogWriter writer;
        private final String name;
        private final String process;
        /** How many deletions were over before the writer was opened. */
        private final int deletions;

        /** How many times the stream had got another name when the writer was opened. */
        private final int renames;

        /** Its appends without an outcome, by their calls. */
        private final Set<Integer> open = new TreeSet<>();

        private @Nullable Place last;
        private long nextTransactionId;
        private long counter;
        private int underWay;
        private boolean hasFailed;

        private Session(LogWriter writer, String name, String process, int deletions) {
            this.writer = writer;
            this.name = name;
            this.process = process;
            this.deletions = deletions;
            this.renames = scene().names().renames();
            int owners = scene().plan().owners();
            long last = Math.max(lastIdUsed, writer.lastTransactionId());
            this.nextTransactionId = (last / owners + 1) * owners + number;
        }

        /** In a strict stream an id that was sent before returns where its record stands, or is appended now, or is known to be too late. */
        private void sendAgain() {
            // What was sent to a stream that may have been deleted means nothing to the one that has its name now.
            boolean mayBeAnother = unsettled.stream().anyMatch(sent -> sent.deletions() < scene().deletionsTried());
            if (!scene().isStrict() || mayBeAnother) {
                unsettled.clear();
            }
            Deque<Sent> again = takeUnsettled();
            if (again.isEmpty()) {
                burst();
            } else {
                sendAgain(again);
            }
        }

        /**
         * Sends the first of them, and the rest once that one stands: when others wrote meanwhile it may be too late for it, but not for what follows it, which
         * must not be there without it. What is above all ids of the stream is sent at once, as it is new to the stream.
         */
        private void sendAgain(Deque<Sent> again) {
            long last = writer.lastTransactionId();
            boolean isNew;
            do {
                Sent sent = again.remove();
                isNew = sent.record().transactionId() > last;
                underWay++;
                writer.append(sent.record())
                        .whenComplete((position, failure) -> sentAgain(sent, position, failure, again));
            } while (isNew && !again.isEmpty());
        }

        private void sentAgain(Sent sent, DLSN position, @Nullable Throwable failure, Deque<Sent> again) {
            if (failure == null) {
                unsettled.remove(sent);
                stands(sent, position);
                if (!again.isEmpty()) {
                    sendAgain(again);
                }
            } else if (Failures.rootOf(failure) instanceof StreamException.TransactionIdOutOfOrder) {
                // Of what this writer has appended itself meanwhile nothing is too late.
                unsettled.remove(sent);
                unsettled.removeAll(again);
                again.clear();
            } else {
                scene().resultOf(failure);
                failed(failure);
            }
            answered();
        }

        /** What is sent again: all up to the first batch, since what follows something that is missing must not be there either. */
        private Deque<Sent> takeUnsettled() {
            Deque<Sent> again = new ArrayDeque<>();
            for (Sent sent : unsettled) {
                if (sent.isOfBatch()) {
                    break;
                }
                again.add(sent);
            }
            unsettled.retainAll(again);
            return again;
        }

        private void stands(Sent sent, DLSN position) {
            known(position);
            Seen seen = new Seen(sent.value(), sent.record().transactionId(), position);
            Poll detail = new Poll(name, null, List.of(seen), Found.RECORDS);
            scene().end(scene().begin(newHandle(), detail), Result.OK, detail);
        }

        private void known(DLSN position) {
            Place place = new Place(name, position);
            last = place;
            scene().known(place);
        }

        /** The first failure may tell another name. */
        private void failed(Throwable failure) {
            if (!hasFailed && renames < scene().names().renames()) {
                scene().count(StreamSituations.RENAMED_UNDER_WRITER);
            }
            hasFailed = true;
            follow(failure, last);
        }

        private void burst() {
            if (hasFailed || session != this) {
                return;
            }
            int left = scene().plan().appends() - appendsBegun;
            if (left <= 0 && underWay == 0) {
                end();
                return;
            }
            int count = Math.min(scene().plan().inFlight() - underWay, left);
            underWay += count;
            for (int i = 0; i < count; i++) {
                append();
            }
            if (scene().plan().ways().hasFlushes() && ways.below(FLUSH_ONE_IN) == 0) {
                flush();
            }
        }

        /** Whoever flushed is told when all that was appended before has its outcome, and of no position below one that it knew. */
        private void flush() {
            Set<Integer> before = new TreeSet<>(open);
            Place known = last;
            writer.flush().whenComplete((position, failure) -> {
                scene().resultOf(failure);
                boolean isEarly = failure == null && open.stream().anyMatch(before::contains);
                boolean isBelow = failure == null && known != null && position.compareTo(known.position()) < 0;
                if (isEarly || isBelow) {
                    String text = "stream=" + scene().name() + ' ' + process + " was told of a flush up to " + position
                            + " while " + open + " of " + before + " were under way, and " + known + " was known";
                    scene().stage().violations().add(new Violation("early-flush", -1, -1, text));
                }
                if (failure == null && !before.isEmpty()) {
                    scene().count(StreamSituations.FLUSHED);
                }
            });
        }

        private void append() {
            appendsBegun++;
            int records = random().below(8) == 0 ? 2 + random().below(BATCH_MAX - 1) : 1;
            List<LogRecord> batch = new ArrayList<>();
            List<Seen> seen = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                ByteBuf payload = Value.payload(process, counter++, (int)
                        random().nextBelow(scene().plan().payloadBytesMax() + 1L));
                Value value = Value.of(payload);
                ByteBuffer bytes = ByteBuffer.allocate(payload.readableBytes());
                payload.readBytes(bytes);
                batch.add(new LogRecord(nextTransactionId, bytes.flip()));
                lastIdUsed = nextTransactionId;
                seen.add(new Seen(value, nextTransactionId, null));
                unsettled.addLast(new Sent(batch.get(i), value, records > 1, deletions));
                if (scene().isStrict() || random().below(3) > 0) {
                    nextTransactionId += scene().plan().owners();
                }
            }
            int call = scene().begin(process, new Appends(name, seen));
            open.add(call);
            if (records == 1) {
                writer.append(batch.get(0))
                        .whenComplete((position, failure) ->
                                appended(call, seen, failure == null ? List.of(position) : List.of(), failure));
            } else {
                writer.appendAtomically(batch)
                        .whenComplete((positions, failure) ->
                                appended(call, seen, failure == null ? positions : List.of(), failure));
            }
        }

        private void appended(int call, List<Seen> records, List<DLSN> positions, @Nullable Throwable failure) {
            Result result = scene().resultOf(failure);
            open.remove(call);
            List<Seen> placed = new ArrayList<>();
            for (int i = 0; i < records.size(); i++) {
                Seen record = records.get(i);
                DLSN position = failure == null ? positions.get(i) : null;
                placed.add(new Seen(record.value(), record.transactionId(), position));
                if (position != null) {
                    known(position);
                    scene().known(record.transactionId());
                    scene().appended();
                }
                if (result != Result.UNKNOWN) {
                    unsettled.removeIf(sent -> sent.value().equals(record.value()));
                }
            }
            scene().end(call, result, new Appends(name, placed));
            if (failure != null && !hasFailed && deletions < scene().deletionsTried()) {
                scene().count(StreamSituations.DELETED_UNDER_WRITER);
            }
            if (failure != null) {
                failed(failure);
            }
            answered();
        }

        private void answered() {
            underWay--;
            if (underWay > 0 && (hasFailed || scene().plan().pauseMicros() > 0)) {
                return;
            }
            if (hasFailed) {
                giveUp();
            } else if (scene().plan().pauseMicros() == 0) {
                burst();
            } else {
                later(scene().plan().pauseMicros() * MICRO, this::burst);
            }
        }

        private void giveUp() {
            if (session == this) {
                session = null;
                writer.closeWriter();
                openLater();
            }
        }

        private void end() {
            if (scene().isLastOwner() && scene().plan().isSealed()) {
                seal();
            } else {
                writer.closeWriter().whenComplete((closed, failure) -> {
                    scene().resultOf(failure);
                    done();
                });
            }
        }

        private void seal() {
            StreamDetail.Seal detail = new StreamDetail.Seal(name);
            int call = scene().begin(process, detail);
            writer.seal().whenComplete((end, failure) -> {
                // Who fails to seal may have sealed: the next one finds out.
                Result result = scene().resultOf(failure);
                scene().end(call, result == Result.OK ? Result.OK : Result.UNKNOWN, detail);
                if (failure == null) {
                    scene().sealed();
                    done();
                } else {
                    follow(failure, last);
                    giveUp();
                }
            });
        }
    }
}
