// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie.server;

import io.daybook.bookie.ledgers.AppendGate;
import io.daybook.bookie.ledgers.Appends;
import io.daybook.bookie.ledgers.ReadOwner;
import io.daybook.bookie.ledgers.Reads;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Accepts links and knows all that are open.
 *
 * <p><i>States:</i> accepting → closed.
 *
 * <p><i>Threading:</i> the core loop.
 */
public final class BookieServer implements AppendGate {
    /** How often it is looked whether clients took answers, while reads wait for that. */
    private static final long BUDGET_NANOS = 5_000_000;

    private final EventLoop loop;
    private final ServerIdentity identity;
    private final ServerLimits limits;
    private final Appends appends;
    private final Reads reads;
    private final Set<BookieLink> links = new LinkedHashSet<>();
    private final AnswerBudget budget;
    private long readsRequested;

    /** The same, for other threads. */
    private volatile long readRequests;

    private Supplier<BookieDescription> description = () -> {
        throw new IllegalStateException("nobody describes this bookie");
    };
    private boolean appendsStopped;
    private boolean budgetWatched;
    private boolean closed;

    /** Not listening yet. */
    public BookieServer(EventLoop loop, ServerIdentity identity, ServerLimits limits, Appends appends, Reads reads) {
        this.loop = loop;
        this.identity = identity;
        this.limits = limits;
        this.appends = appends;
        this.reads = reads;
        this.budget = new AnswerBudget(limits.answerBytesMax());
        appends.gate(this);
    }

    /** Names who is asked what the bookie is. */
    public void describedBy(Supplier<BookieDescription> next) {
        description = next;
    }

    BookieDescription description() {
        return description.get();
    }

    /** Begins to accept links; fails as {@link Network#listen} does. */
    public CompletableFuture<Network.Listener> listen(Network network, Endpoint endpoint) {
        return network.listen(loop, endpoint, this::accept);
    }

    private LinkHandler accept(Endpoint remote) {
        return new BookieLink(this, closed || links.size() >= limits.linksMax());
    }

    /** Closes all links; nothing that comes in later is looked at. */
    public void closeLinks(String reason) {
        closed = true;
        for (BookieLink link : new ArrayList<>(links)) {
            link.close(reason);
        }
    }

    @Override
    public void stopAppends(boolean stops) {
        appendsStopped = stops;
        links.forEach(BookieLink::updateReading);
    }

    void opened(BookieLink link) {
        links.add(link);
    }

    void closed(BookieLink link) {
        links.remove(link);
        budget.gone(link);
        reads.linkClosed(link);
    }

    /** Whether an answer may be made; if not the link's reads are resumed when one may. */
    boolean admitsAnswer(ReadOwner.Share share, BookieLink link) {
        if (!budget.admits(share)) {
            budget.recount(loop.nanoTime());
        }
        if (budget.admits(share)) {
            return true;
        }
        budget.waits(share, link);
        watchBudget();
        return false;
    }

    private void watchBudget() {
        if (!budgetWatched) {
            budgetWatched = true;
            loop.schedule(BUDGET_NANOS, () -> {
                budgetWatched = false;
                budget.recount(loop.nanoTime());
                budget.admitted().forEach(BookieLink::resumeReads);
                if (budget.hasWaiting()) {
                    watchBudget();
                }
            });
        }
    }

    void readRequested() {
        readRequests = ++readsRequested;
    }

    /** How many requests to read came. From any thread. */
    public long readRequests() {
        return readRequests;
    }

    /** How many reads of all links wait for an entry. */
    public int waitingReads() {
        return reads.waiting();
    }

    /** Bytes of answers to reads that are being made or were not taken by their clients yet. */
    public long answerBytes() {
        return budget.recounted(loop.nanoTime());
    }

    AnswerBudget budget() {
        return budget;
    }

    boolean areAppendsStopped() {
        return appendsStopped;
    }

    EventLoop loop() {
        return loop;
    }

    ServerIdentity identity() {
        return identity;
    }

    ServerLimits limits() {
        return limits;
    }

    Appends appends() {
        return appends;
    }

    Reads reads() {
        return reads;
    }
}
