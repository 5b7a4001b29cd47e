// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A way to ZooKeeper that loses one chosen request or its answer and the connection with it. It understands ZooKeeper's frames just enough: a length, then
 * a number of the request and, towards the server, its operation.
 */
final class LossyProxy implements AutoCloseable {
    /** create, delete, setData, multi, create2. */
    private static final Set<Integer> CHANGES = Set.of(1, 2, 5, 14, 15);

    private static final int SYNC = 9;

    /** getData. */
    private static final Set<Integer> READINGS = Set.of(4);

    /** getChildren, getChildren2. */
    private static final Set<Integer> LISTINGS = Set.of(8, 12);

    private final ServerSocket listener;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicInteger largestRequestBytes = new AtomicInteger();
    private final AtomicInteger largestAnswerBytes = new AtomicInteger();
    private final AtomicInteger syncs = new AtomicInteger();
    private volatile boolean isCut;
    private volatile Optional<Loss> armed = Optional.empty();

    LossyProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    /** What gets lost. */
    enum Lost {
        /** The request does not reach the server. */
        REQUEST,
        /** The server does what it was asked; its answer does not arrive. */
        ANSWER
    }

    /** The next request of one of {@code kinds} that names {@code text} in its bytes; {@code meanwhile} runs before the connection breaks. */
    private record Loss(Lost lost, Set<Integer> kinds, String text, Runnable meanwhile) {}

    String servers() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    void loseNext(Lost lost, String text, Runnable meanwhile) {
        armed = Optional.of(new Loss(lost, CHANGES, text, meanwhile));
    }

    /** Loses the next request to read a value that names {@code text}. */
    void loseNextReading(String text, Runnable meanwhile) {
        armed = Optional.of(new Loss(Lost.REQUEST, READINGS, text, meanwhile));
    }

    /** Loses the next request to list children that names {@code text}. */
    void loseNextListing(String text, Runnable meanwhile) {
        armed = Optional.of(new Loss(Lost.REQUEST, LISTINGS, text, meanwhile));
    }

    /** The loss that is waiting for this request, which then waits no more. */
    private synchronized Optional<Loss> takeIfChosen(byte[] frame) {
        int kind = ByteBuffer.wrap(frame).getInt(4);
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        Optional<Loss> chosen = armed.filter(loss -> loss.kinds().contains(kind) && text.contains(loss.text()));
        if (chosen.isPresent()) {
            armed = Optional.empty();
        }
        return chosen;
    }

    /** How many requests to catch up came so far. */
    int syncs() {
        return syncs.get();
    }

    /** How often something was lost so far. */
    int losses() {
        return losses.get();
    }

    /** The size of the largest request so far. */
    int largestRequestBytes() {
        return largestRequestBytes.get();
    }

    /** The size of the largest answer so far. */
    int largestAnswerBytes() {
        return largestAnswerBytes.get();
    }

    /** Breaks all connections and lets none come to be. */
    void cut() throws IOException {
        isCut = true;
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    void mend() {
        isCut = false;
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, "lossy-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                if (isCut) {
                    client.close();
                } else {
                    connect(client);
                }
            }
        } catch (IOException closed) {
            // The listener was closed: the test is over.
            sockets.clear();
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.add(client);
        sockets.add(server);
        Pipe pipe = new Pipe(client, server);
        start("requests", () -> pipe.carry(client, server, pipe::losesRequest));
        start("answers", () -> pipe.carry(server, client, pipe::losesAnswer));
    }

    @Override
    public void close() throws IOException {
        cut();
        listener.close();
    }

    /** Decides whether a frame gets lost. */
    private interface Filter {
        boolean loses(byte[] frame);
    }

    /** One connection. */
    private final class Pipe {
        private final Socket client;
        private final Socket server;
        private volatile int awaitedRequest;
        private volatile Optional<Loss> awaited = Optional.empty();

        Pipe(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void carry(Socket from, Socket to, Filter filter) {
            try {
                DataInputStream in = new DataInputStream(from.getInputStream());
                DataOutputStream out = new DataOutputStream(to.getOutputStream());
                boolean isFirst = true;
                while (true) {
                    byte[] frame = in.readNBytes(in.readInt());
                    // The first frame of each direction opens the session and has no number.
                    if (!isFirst && filter.loses(frame)) {
                        break;
                    }
                    isFirst = false;
                    out.writeInt(frame.length);
                    out.write(frame);
                    out.flush();
                }
            } catch (IOException ended) {
                // One side closed; so does the other.
            } finally {
                closeBoth();
            }
        }

        private void closeBoth() {
            for (Socket socket : new Socket[] {client, server}) {
                try {
                    socket.close();
                } catch (IOException alreadyBroken) {
                    sockets.remove(socket);
                }
                sockets.remove(socket);
            }
        }

        boolean losesRequest(byte[] frame) {
            largestRequestBytes.accumulateAndGet(frame.length, Math::max);
            if (ByteBuffer.wrap(frame).getInt(4) == SYNC) {
                syncs.incrementAndGet();
            }
            Optional<Loss> loss = takeIfChosen(frame);
            if (loss.isEmpty()) {
                return false;
            }
            if (loss.get().lost() == Lost.ANSWER) {
                awaitedRequest = ByteBuffer.wrap(frame).getInt(0);
                awaited = loss;
                return false;
            }
            return lost(loss.get());
        }

        boolean losesAnswer(byte[] frame) {
            largestAnswerBytes.accumulateAndGet(frame.length, Math::max);
            Optional<Loss> loss = awaited;
            return loss.isPresent() && ByteBuffer.wrap(frame).getInt(0) == awaitedRequest && lost(loss.get());
        }

        private boolean lost(Loss loss) {
            losses.incrementAndGet();
            loss.meanwhile().run();
            return true;
        }
    }
}
