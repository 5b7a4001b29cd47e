// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk.session;

import io.daybook.metadata.Watch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watches of one session. Each stands until it is closed: whenever the connection is back, all are made again and all are told, because something
 * may have happened meanwhile (M4). They are told some at a time: each may ask the store, and a store that has just come back is not to be overrun by many thousands.
 */
public final class ZkWatches {
    private static final Logger LOG = LoggerFactory.getLogger(ZkWatches.class);

    private static final int TOLD_AT_ONCE = 250;
    private static final long TELLING_PAUSE_MILLIS = 50;

    private final ZkSession session;
    private final Set<ZkWatch> watches = ConcurrentHashMap.newKeySet();

    public ZkWatches(ZkSession session) {
        this.session = session;
        session.client().getConnectionStateListenable().addListener((client, state) -> onState(state));
    }

    private void onState(ConnectionState state) {
        if (state == ConnectionState.RECONNECTED) {
            List<ZkWatch> all = List.copyOf(watches);
            all.forEach(ZkWatch::arm);
            tellFrom(all, 0);
        }
    }

    private void tellFrom(List<ZkWatch> all, int first) {
        int end = Math.min(all.size(), first + TOLD_AT_ONCE);
        all.subList(first, end).forEach(ZkWatch::tell);
        if (end < all.size()) {
            session.schedule(() -> tellFrom(all, end), TELLING_PAUSE_MILLIS);
        }
    }

    /** Watches one node, or with {@link AddWatchMode#PERSISTENT_RECURSIVE} also those below it. */
    public Watch add(String path, AddWatchMode mode, Runnable listener) {
        ZkWatch watch = new ZkWatch(path, mode, listener);
        if (!session.isClosed()) {
            watches.add(watch);
            watch.arm();
        }
        return watch;
    }

    /** One standing watch. */
    private final class ZkWatch implements Watch, Watcher {
        private final String path;
        private final AddWatchMode mode;
        private final Runnable listener;
        private volatile boolean isClosed;

        ZkWatch(String path, AddWatchMode mode, Runnable listener) {
            this.path = path;
            this.mode = mode;
            this.listener = listener;
        }

        /** Making it twice is making it once. A failure is mended when the connection is back. */
        void arm() {
            try {
                session.client()
                        .watchers()
                        .add()
                        .withMode(mode)
                        .inBackground()
                        .usingWatcher(this)
                        .forPath(path);
            } catch (Exception refused) {
                // Curator declares Exception; the watch is a hint, and whoever holds it polls as well.
                LOG.debug("path={} watch not made", path, refused);
            }
        }

        void tell() {
            if (!isClosed) {
                ZkSession.give(listener);
            }
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() != Event.EventType.None) {
                tell();
            }
        }

        @Override
        public void close() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            watches.remove(this);
            try {
                session.client().watchers().remove(this).inBackground().forPath(path);
            } catch (Exception refused) {
                // Curator declares Exception; a watch left at the server is ignored when it fires.
                LOG.debug("path={} watch not removed", path, refused);
            }
        }
    }
}
