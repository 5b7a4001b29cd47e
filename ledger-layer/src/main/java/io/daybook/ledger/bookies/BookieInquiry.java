// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.bookies;

import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.BadFrameException;
import io.daybook.protocol.wire.ErrorMessage;
import io.daybook.protocol.wire.Hello;
import io.daybook.protocol.wire.HelloAnswer;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.description.BookieDescription;
import io.daybook.protocol.wire.description.DescribeRequest;
import io.daybook.protocol.wire.description.DescriptionAnswer;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network;
import io.daybook.runtime.Timer;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks one bookie what it knows of itself, on a link of its own: an operator asks, and no work on ledgers waits for the answer.
 *
 * <p><i>States:</i> connecting → greeting (the hello was sent) → asking → ended.
 *
 * <p><i>Threading:</i> confined to one loop, but for {@link #ask}.
 */
public final class BookieInquiry implements LinkHandler {
    private static final long REQUEST_ID = 1;

    private final Target target;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private Timer timer = () -> {};
    private @Nullable Link link;
    private boolean isGreeted;

    /** Whom to ask, and where it listens. */
    public record Target(ClusterId clusterId, BookieId bookie, Endpoint address) {}

    /** What came of it. */
    public sealed interface Outcome {
        /** It answered. */
        record Described(BookieDescription description) implements Outcome {}

        /** It did not, for this reason: one line for people. */
        record Unanswered(String reason) implements Outcome {}
    }

    private BookieInquiry(Target target) {
        this.target = target;
    }

    /**
     * Asks, on that loop. From any thread.
     *
     * @param timeoutNanos for all of it
     * @return completes on the loop with what came of it; never fails
     */
    public static CompletableFuture<Outcome> ask(EventLoop loop, Network network, Target target, long timeoutNanos) {
        BookieInquiry inquiry = new BookieInquiry(target);
        loop.execute(() -> {
            inquiry.timer = loop.schedule(timeoutNanos, () -> inquiry.giveUp("it does not answer in time"));
            network.connect(loop, target.address(), timeoutNanos, inquiry);
        });
        return inquiry.outcome;
    }

    @Override
    public void opened(Link opened) {
        link = opened;
        if (outcome.isDone()) {
            opened.close("nobody asks any more");
            return;
        }
        ByteBuf hello = opened.allocate(512);
        new Hello(
                        Hello.PROTOCOL_VERSION,
                        Hello.PROTOCOL_VERSION,
                        DescribeRequest.FEATURE,
                        target.clusterId(),
                        target.bookie(),
                        LinkKind.OTHER,
                        "inquiry")
                .write(hello);
        opened.send(hello);
    }

    @Override
    public void frame(Link from, ByteBuf frame) {
        try {
            if (!outcome.isDone()) {
                take(from, frame);
            }
        } catch (BadFrameException bad) {
            giveUp("its answer cannot be read: " + bad.getMessage());
        } finally {
            frame.release();
        }
    }

    private void take(Link from, ByteBuf frame) {
        MessageType type = MessageType.of(frame);
        if (type == MessageType.ERROR) {
            giveUp("it refuses: " + ErrorMessage.read(frame).text());
        } else if (isGreeted) {
            end(new Outcome.Described(DescriptionAnswer.read(frame).description()));
        } else {
            greeted(from, HelloAnswer.read(frame));
        }
    }

    private void greeted(Link from, HelloAnswer answer) {
        if (answer.status() != StatusCode.OK) {
            giveUp("it refuses: " + answer.text());
        } else if ((answer.features() & DescribeRequest.FEATURE) == 0) {
            giveUp("it runs an older program, which cannot tell more of itself");
        } else {
            isGreeted = true;
            from.limitFrameBytes(Limits.FRAME_BYTES_MAX);
            ByteBuf question = from.allocate(DescribeRequest.FRAME_BYTES);
            new DescribeRequest(REQUEST_ID).write(question);
            from.send(question);
        }
    }

    @Override
    public void closed(String reason) {
        giveUp((link == null ? "it cannot be reached: " : "its link was lost: ") + reason);
    }

    private void giveUp(String reason) {
        end(new Outcome.Unanswered(reason));
    }

    private void end(Outcome with) {
        timer.cancel();
        if (link != null) {
            link.close("the question is answered");
        }
        outcome.complete(with);
    }
}
