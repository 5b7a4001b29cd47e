// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.reader;

import io.daybook.runtime.EventLoop;
import io.daybook.stream.PositionedRecord;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demand of one subscriber. A subscriber that throws has no further say: its subscription ends as if it had cancelled it, and its reader goes on.
 *
 * <p><i>Threading:</i> {@link #request} and {@link #cancel} any thread, the rest on the loop; the subscriber is called on the loop.
 */
final class RecordSubscription implements Flow.Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(RecordSubscription.class);

    private final EventLoop loop;
    private final Flow.Subscriber<? super PositionedRecord> subscriber;
    private final ReaderMachine machine;
    private long demand;
    private boolean isOver;

    RecordSubscription(EventLoop loop, Flow.Subscriber<? super PositionedRecord> subscriber, ReaderMachine machine) {
        this.loop = loop;
        this.subscriber = subscriber;
        this.machine = machine;
    }

    void begin() {
        call(() -> subscriber.onSubscribe(this));
    }

    void refuse(IllegalStateException reason) {
        isOver = true;
        call(() -> {
            subscriber.onSubscribe(this);
            subscriber.onError(reason);
        });
    }

    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException thrown) {
            LOG.warn("a subscriber threw, which ends its subscription; its reader goes on", thrown);
            isOver = true;
            demand = 0;
            machine.cancelled(this);
        }
    }

    boolean hasDemand() {
        return demand > 0;
    }

    void deliver(PositionedRecord record) {
        demand--;
        call(() -> subscriber.onNext(record));
    }

    /** The last thing the subscriber hears. */
    void end(@Nullable Throwable failure) {
        if (isOver) {
            return;
        }
        isOver = true;
        if (failure == null) {
            call(subscriber::onComplete);
        } else {
            call(() -> subscriber.onError(failure));
        }
    }

    @Override
    public void request(long count) {
        loop.execute(() -> demanded(count));
    }

    private void demanded(long count) {
        if (isOver) {
            return;
        }
        if (count <= 0) {
            machine.cancelled(this);
            end(new IllegalArgumentException("a subscriber requested " + count + " records; at least 1 is needed"));
            return;
        }
        demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
        machine.serve();
    }

    @Override
    public void cancel() {
        loop.execute(() -> {
            isOver = true;
            demand = 0;
            machine.cancelled(this);
        });
    }
}
