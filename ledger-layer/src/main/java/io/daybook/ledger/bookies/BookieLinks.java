// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.AddAck;
import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.ErrorMessage;
import io.daybook.protocol.wire.FenceAnswer;
import io.daybook.protocol.wire.FenceRequest;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.PublishAck;
import io.daybook.protocol.wire.PublishRequest;
import io.daybook.protocol.wire.ReadAnswer;
import io.daybook.protocol.wire.ReadRequest;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Network;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links of one loop to all bookies, two to each (appends, and everything else), and the requests under way on them. Every request completes exactly
 * once: with its answer, at its deadline, or when its link is lost; an answer that comes later is dropped. Adds have no request each: their
 * acknowledgements find the writer by its handle number, and a lost link is told to all writers.
 *
 * <p><i>Threading:</i> confined to one loop.
 */
public final class BookieLinks implements BookieLink.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(BookieLinks.class);
    private static final long TICK_NANOS = 20_000_000L;
    /** A tick that is this late says more of this process than of any bookie: it lets pass one turn, in which answers that waited are read. */
    private static final long TICK_LATE_NANOS = 100_000_000L;

    private static final long SUSPICION_NANOS = 5_000_000_000L;

    private final BookieLink.Dialing dialing;
    private final EventLoop loop;
    private final HeldBytes held;
    private final Map<BookieId, BookieLink> appendLinks = new TreeMap<>();
    private final Map<BookieId, BookieLink> otherLinks = new TreeMap<>();
    private final IntObjectMap<AddHandler> handles = new IntObjectHashMap<>();
    private final Map<Long, Request> requests = new TreeMap<>();
    private final ReadPace pace = new ReadPace();
    private final Map<BookieId, ReadTurns> turns = new TreeMap<>();
    private final Map<BookieId, Long> suspectUntil = new TreeMap<>();
    private final Set<Ticking> watched = new LinkedHashSet<>();
    private @Nullable Timer timer;
    private long tickDueNanos;
    private boolean wasLate;
    private int lastHandle;
    private long lastRequestId;
    private boolean isClosed;
    private @Nullable Runnable whenAnswered;
    private Timer answersDue = () -> {};

    /**
     * Opens nothing before it is needed.
     *
     * @param reach what the links stand on
     */
    public BookieLinks(EventLoop loop, Reach reach, LiveBookies live, MemoryBounds bounds) {
        this.loop = loop;
        this.held = new HeldBytes(loop, bounds);
        this.dialing = new BookieLink.Dialing(
                loop,
                reach.network,
                reach.clusterId,
                live,
                reach.connectTimeoutNanos,
                bounds.bookieBytes(),
                "daybook " + loop.name());
    }

    /**
     * How bookies are reached.
     *
     * @param connectTimeoutNanos bound on a connection attempt, and again on its handshake
     */
    public record Reach(Network network, ClusterId clusterId, long connectTimeoutNanos) {}

    /** How fast bookies answer reads. */
    public ReadPace pace() {
        return pace;
    }

    /** The bytes that this loop holds, and their bounds. */
    public HeldBytes held() {
        return held;
    }

    /** A buffer for a frame. */
    public ByteBuf allocate(int capacityBytes) {
        return PooledByteBufAllocator.DEFAULT.directBuffer(capacityBytes, capacityBytes);
    }

    /** Gives a handle its number, never used before on this loop, which its adds carry. */
    public int register(AddHandler handler) {
        lastHandle++;
        handles.put(lastHandle, handler);
        return lastHandle;
    }

    /** Acknowledgements for this handle are dropped from now on. */
    public void unregister(int handle) {
        handles.remove(handle);
    }

    /** Calls {@code machine} from the coarse timer until it declines. */
    public void watch(Ticking machine) {
        if (!isClosed && watched.add(machine)) {
            startTimer();
        }
    }

    /** Sends an add frame and consumes it. Returns false when there is no link and none can be tried now: nothing will be told of it. */
    public boolean add(BookieId bookie, ByteBuf frame) {
        BookieLink link = appendLink(bookie);
        boolean isTaken = link.send(frame);
        if (isTaken) {
            link.addSent();
        }
        return isTaken;
    }

    /** As {@link #add}, for a frame behind the adds that has no answer of its own. */
    public boolean force(BookieId bookie, ByteBuf frame) {
        return appendLink(bookie).send(frame);
    }

    /** Whether the bookie does not take the adds that are sent to it: its bound on held bytes was reached and half of them have not left yet. */
    public boolean isFull(BookieId bookie) {
        BookieLink link = appendLinks.get(bookie);
        return link != null && link.isFull();
    }

    /** For how long that has been so, in nanoseconds. */
    public long fullNanos(BookieId bookie) {
        BookieLink link = appendLinks.get(bookie);
        return link == null ? 0 : link.fullNanos(loop.nanoTime());
    }

    /** Bytes of adds that wait for the bookie to take them. */
    public long heldBytes(BookieId bookie) {
        BookieLink link = appendLinks.get(bookie);
        return link == null ? 0 : link.heldBytes();
    }

    /** Whether next to nothing waits for the bookie to take it. */
    public boolean keepsUp(BookieId bookie) {
        return heldBytes(bookie) < dialing.heldBytesMax() / 8;
    }

    /**
     * The bookie owes acknowledgements and does not answer. It may only be slow, so what was sent stays sent; if nothing at all comes in on its append
     * link before long, that is given up and all who have adds on it are told.
     */
    public void doubtAppends(BookieId bookie, String reason) {
        appendLink(bookie).doubt(reason);
    }

    /**
     * Reads as soon as the bookie has answered enough of the reads before; its turn does not come later than the request's time-out, which begins anew
     * when the bookie is asked. The request id is chosen here.
     */
    public void read(BookieId bookie, ReadRequest request, ReadListener listener) {
        turns.computeIfAbsent(bookie, this::turnsOf).take(request, listener);
    }

    /** As {@link #read}, before those that are not urgent: for a request that wants no entry, and so costs the bookie next to nothing. */
    public void readUrgently(BookieId bookie, ReadRequest request, ReadListener listener) {
        turns.computeIfAbsent(bookie, this::turnsOf).takeUrgent(request, listener);
    }

    private ReadTurns turnsOf(BookieId bookie) {
        return new ReadTurns(loop, new ReadTurns.Asking() {
            @Override
            public void ask(ReadRequest request, ReadListener listener) {
                readAtOnce(bookie, request, listener);
            }

            @Override
            public void waiting(ReadTurns machine) {
                watch(machine);
            }
        });
    }

    /** As {@link #read}, for a read that waits at the bookie for its entry, or must not wait for those that read much: the bookie may be too busy. */
    public void readAtOnce(BookieId bookie, ReadRequest request, ReadListener listener) {
        BookieLink link = otherLink(bookie);
        long id = ++lastRequestId;
        Request.Read read = new Request.Read(link, loop.nanoTime(), id, request, listener);
        ByteBuf frame = allocate(ReadRequest.FRAME_BYTES);
        new ReadRequest(
                        id,
                        request.ledgerId(),
                        request.firstEntryId(),
                        request.countMax(),
                        request.bytesMax(),
                        request.flags(),
                        request.waitMillis(),
                        request.timeoutMillis())
                .write(frame);
        start(read, frame);
    }

    /** Fences. */
    public void fence(BookieId bookie, long ledgerId, int timeoutMillis, Consumer<FenceAnswer> listener) {
        long id = ++lastRequestId;
        ByteBuf frame = allocate(FenceRequest.FRAME_BYTES);
        new FenceRequest(id, ledgerId, 0, timeoutMillis).write(frame);
        start(new Request.Fence(otherLink(bookie), deadline(timeoutMillis), id, ledgerId, listener), frame);
    }

    /** Publishes a last add confirmed, behind the adds that were sent before. */
    public void publish(PublishRequest request, BookieId bookie, Consumer<PublishAck> listener) {
        long id = ++lastRequestId;
        ByteBuf frame = allocate(PublishRequest.FRAME_BYTES);
        new PublishRequest(id, request.ledgerId(), request.lastAddConfirmed(), request.timeoutMillis()).write(frame);
        long deadline = deadline(request.timeoutMillis());
        start(new Request.Publish(appendLink(bookie), deadline, id, request.ledgerId(), listener), frame);
    }

    /** Asks a bookie for any sign of life on the link of its reads. */
    public void probe(BookieId bookie, long ledgerId, int timeoutMillis, Consumer<Boolean> listener) {
        ReadRequest nothing = new ReadRequest(0, ledgerId, Long.MAX_VALUE - 1, 1, 0, 0, 0, timeoutMillis);
        readAtOnce(
                bookie,
                nothing,
                (answer, frame) -> listener.accept(
                        answer.status() != StatusCode.TIMEOUT && answer.status() != StatusCode.DISCONNECTED));
    }

    /** Whether a read should rather ask another bookie first: this one did not answer lately. */
    public boolean isSuspect(BookieId bookie) {
        BookieLink link = otherLinks.get(bookie);
        Long until = suspectUntil.get(bookie);
        return (link != null && link.isPaused()) || (until != null && until - loop.nanoTime() > 0);
    }

    /**
     * Runs {@code then} as soon as every add that was sent is answered or its link is lost, and at the latest after {@code nanosMax}: so the copies beyond
     * the ack quorum, for which nobody waits, arrive as well. Once.
     */
    public void whenAddsAnswered(long nanosMax, Runnable then) {
        whenAnswered = then;
        answersDue = loop.schedule(nanosMax, this::stopWaitingForAnswers);
        checkAnswers();
    }

    private void checkAnswers() {
        if (whenAnswered != null && appendLinks.values().stream().allMatch(link -> link.addsUnderWay() == 0)) {
            stopWaitingForAnswers();
        }
    }

    private void stopWaitingForAnswers() {
        Runnable then = whenAnswered;
        whenAnswered = null;
        answersDue.cancel();
        if (then != null) {
            then.run();
        }
    }

    /** Closes every link; what is under way completes with {@link StatusCode#DISCONNECTED}. */
    public void close() {
        isClosed = true;
        if (timer != null) {
            timer.cancel();
        }
        watched.clear();
        List<BookieLink> links = new ArrayList<>(appendLinks.values());
        links.addAll(otherLinks.values());
        links.forEach(BookieLink::close);
        links.forEach(this::failRequests);
        handles.clear();
    }

    @Override
    public void frame(BookieLink from, ByteBuf frame) {
        switch (MessageType.of(frame)) {
            case ADD_ACK -> {
                AddAck ack = AddAck.read(frame);
                if (ack.status() != StatusCode.ACCEPTED) {
                    // Whoever defers the sync is answered again.
                    from.addsAnswered(ack.count());
                }
                AddHandler handler = handles.get(ack.handle());
                if (handler != null) {
                    handler.acked(from.bookie(), ack);
                }
                checkAnswers();
            }
            case READ_ANSWER -> readAnswered(from, frame);
            case FENCE_ANSWER -> {
                FenceAnswer answer = FenceAnswer.read(frame);
                if (take(answer.requestId(), answer.ledgerId(), from) instanceof Request.Fence fence) {
                    fence.answered(answer);
                }
            }
            case PUBLISH_ACK -> {
                PublishAck answer = PublishAck.read(frame);
                if (take(answer.requestId(), answer.ledgerId(), from) instanceof Request.Publish publish) {
                    publish.answered(answer);
                }
            }
            case ERROR -> {
                ErrorMessage error = ErrorMessage.read(frame);
                LOG.warn("bookie={} status={} closes the link: {}", from.bookie(), error.status(), error.text());
            }
            default -> throw new BadFrameException("a message that no bookie sends: " + MessageType.of(frame));
        }
    }

    @Override
    public void fullnessChanged(BookieLink link) {
        if (link.kind() == LinkKind.APPEND) {
            held.linkChanged(link.isFull());
        }
    }

    @Override
    public void lost(BookieLink link) {
        if (link.kind() == LinkKind.APPEND) {
            List.copyOf(handles.values()).forEach(handler -> handler.linkLost(link.bookie()));
        } else {
            suspect(link.bookie());
        }
        failRequests(link);
        checkAnswers();
    }

    private void readAnswered(BookieLink from, ByteBuf frame) {
        ReadAnswer answer = ReadAnswer.read(frame);
        Request request = take(answer.requestId(), answer.ledgerId(), from);
        if (request instanceof Request.Read read) {
            if (!read.isAnsweredBy(answer)) {
                read.failed(StatusCode.UNKNOWN_STATE);
                throw new BadFrameException("an answer to another read than the one with its number");
            }
            suspectUntil.remove(from.bookie());
            if (!read.isWaiting) {
                pace.answered(from.bookie(), loop.nanoTime() - read.sentNanos, loop.nanoTime());
            }
            read.answered(answer, frame);
        }
    }

    /** The request that is answered; null when it was given up before. */
    private @Nullable Request take(long requestId, long ledgerId, BookieLink from) {
        Request request = requests.get(requestId);
        if (request == null) {
            return null;
        }
        if (request.ledgerId != ledgerId || request.link != from) {
            throw new BadFrameException("an answer with the number of another request");
        }
        return requests.remove(requestId);
    }

    private void start(Request request, ByteBuf frame) {
        if (isClosed || !request.link.send(frame)) {
            if (isClosed) {
                frame.release();
            }
            loop.execute(() -> request.failed(StatusCode.DISCONNECTED));
            return;
        }
        requests.put(request.id, request);
        startTimer();
    }

    private void failRequests(BookieLink link) {
        List<Request> failed = new ArrayList<>();
        for (Request request : requests.values()) {
            if (request.link == link) {
                failed.add(request);
            }
        }
        failed.forEach(request -> requests.remove(request.id));
        failed.forEach(request -> request.failed(StatusCode.DISCONNECTED));
    }

    private void suspect(BookieId bookie) {
        suspectUntil.put(bookie, loop.nanoTime() + SUSPICION_NANOS);
    }

    private long deadline(int timeoutMillis) {
        return loop.nanoTime() + timeoutMillis * 1_000_000L;
    }

    private void startTimer() {
        if (timer == null) {
            tickDueNanos = loop.nanoTime() + TICK_NANOS;
            timer = loop.schedule(TICK_NANOS, this::tick);
        }
    }

    private void tick() {
        timer = null;
        long now = loop.nanoTime();
        wasLate = !wasLate && now - tickDueNanos > TICK_LATE_NANOS;
        if (!wasLate) {
            appendLinks.values().forEach(BookieLink::checkFullness);
            held.linkBytes(appendLinks.values().stream()
                    .mapToLong(BookieLink::heldBytes)
                    .sum());
            expireRequests(now);
            for (Ticking machine : List.copyOf(watched)) {
                if (!machine.tick(now)) {
                    watched.remove(machine);
                }
            }
        }
        if (!isClosed && (!requests.isEmpty() || !watched.isEmpty())) {
            startTimer();
        }
    }

    private void expireRequests(long now) {
        List<Request> expired = new ArrayList<>();
        for (Request request : requests.values()) {
            if (now - request.deadlineNanos >= 0) {
                expired.add(request);
            }
        }
        for (Request request : expired) {
            if (requests.remove(request.id) != null) {
                suspect(request.link.bookie());
                request.link.doubt("no answer to a request");
                request.failed(StatusCode.TIMEOUT);
            }
        }
    }

    private BookieLink appendLink(BookieId bookie) {
        BookieLink present = appendLinks.get(bookie);
        if (present != null) {
            return present;
        }
        BookieLink fresh = new BookieLink(dialing, bookie, LinkKind.APPEND, this);
        appendLinks.put(bookie, fresh);
        return fresh;
    }

    private BookieLink otherLink(BookieId bookie) {
        return otherLinks.computeIfAbsent(bookie, id -> new BookieLink(dialing, id, LinkKind.OTHER, this));
    }
}
