// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps what a link told its owner: {@code opened}, {@code frame}, {@code writable} and {@code closed: reason}, oldest first. */
final class RecordingHandler implements LinkHandler {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<byte[]> frames = new CopyOnWriteArrayList<>();
    private final Consumer<Link> whenOpened;
    private volatile @Nullable Link link;
    private volatile boolean strayed;

    RecordingHandler(Consumer<Link> whenOpened) {
        this.whenOpened = whenOpened;
    }

    RecordingHandler() {
        this(link -> {});
    }

    @Override
    public void opened(Link link) {
        this.link = link;
        record("opened", link);
        whenOpened.accept(link);
    }

    @Override
    public void frame(Link link, ByteBuf frame) {
        frames.add(ByteBufUtil.getBytes(frame));
        frame.release();
        record("frame", link);
    }

    @Override
    public void writable(Link link) {
        record("writable", link);
    }

    @Override
    public void closed(String reason) {
        Link known = link;
        strayed |= known != null && !known.loop().isInLoop();
        events.add("closed: " + reason);
    }

    private void record(String event, Link from) {
        strayed |= from != link || !from.loop().isInLoop();
        events.add(event);
    }

    List<String> events() {
        return events;
    }

    List<byte[]> frames() {
        return frames;
    }

    /** The link, once opened. */
    Link link() {
        Link known = link;
        if (known == null) {
            throw new AssertionError("the link was not opened: " + events);
        }
        return known;
    }

    boolean isOpened() {
        return link != null;
    }

    boolean isClosed() {
        return events.stream().anyMatch(event -> event.startsWith("closed"));
    }

    /** The one reason; fails when {@code closed} was not the last event or came twice. */
    String closedReason() {
        List<String> closings =
                events.stream().filter(event -> event.startsWith("closed")).toList();
        if (closings.size() != 1 || !events.get(events.size() - 1).equals(closings.get(0))) {
            throw new AssertionError("closed is not the last event, once: " + events);
        }
        return closings.get(0).substring("closed: ".length());
    }

    long count(String event) {
        return events.stream().filter(event::equals).count();
    }

    /** Whether something was told off the link's loop or about another link. */
    boolean hasStrayed() {
        return strayed;
    }
}
