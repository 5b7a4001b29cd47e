// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.Host.LoopKind;
import io.daybook.runtime.Link;
import io.daybook.runtime.LinkHandler;
import io.daybook.runtime.Network.Listener;
import io.daybook.runtime.settings.SettingsLoader;
import io.netty.buffer.ByteBuf;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stranger on the other end of the socket sees and can do, and what people are told. */
final class WireTest {
    private SystemHost host = SystemHost.start();
    private final CompletableFuture<String> closedReason = new CompletableFuture<>();

    @AfterEach
    void closeHost() {
        host.close();
    }

    private Listener listenAndEcho(boolean isNative) {
        host.close();
        host = SystemHost.start(
                SettingsLoader.with(SystemConfig.class, Map.of("system.native-transport", String.valueOf(isNative))));
        EventLoop loop = host.newLoop("loop", LoopKind.NETWORK);
        return host.network()
                .listen(loop, new Endpoint("localhost", 0), remote -> new Echo())
                .join();
    }

    /** Sends every frame back. */
    private final class Echo implements LinkHandler {
        @Override
        public void opened(Link link) {}

        @Override
        public void frame(Link link, ByteBuf frame) {
            link.send(frame);
        }

        @Override
        public void closed(String reason) {
            closedReason.complete(reason);
        }
    }

    private static Socket connect(Listener listener) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), listener.endpoint().port());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void frameIsABigEndianLengthAndThatManyBytes(boolean isNative) throws IOException {
        Listener listener = listenAndEcho(isNative);
        try (Socket socket = connect(listener)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.write(new byte[] {0, 0, 0, 3, 7, 8, 9, 0, 0});
            out.write(new byte[] {0, 0});

            assertThat(in.readNBytes(11)).containsExactly(0, 0, 0, 3, 7, 8, 9, 0, 0, 0, 0);
        }

        assertThat(listener.endpoint().host()).isEqualTo("localhost");
        assertThat(closedReason.join()).startsWith("closed by 127.0.0.1:");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusedFrameEndsTheConnectionOnceTheAnswersHaveLeft(boolean isNative) throws IOException {
        Listener listener = listenAndEcho(isNative);
        try (Socket socket = connect(listener)) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write(new byte[] {0, 0, 0, 1, 5, (byte) 0xff, 0, 0, 0});

            assertThat(in.readAllBytes()).containsExactly(0, 0, 0, 1, 5);
            assertThat(closedReason.join())
                    .isEqualTo("frame of 4278190080 bytes from 127.0.0.1:" + socket.getLocalPort()
                            + " is over the limit of 65536");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void resetConnectionIsSaidToBeReset(boolean isNative) throws IOException {
        Listener listener = listenAndEcho(isNative);
        Socket socket = connect(listener);
        socket.getOutputStream().write(new byte[] {0, 0, 0, 1, 5});
        assertThat(socket.getInputStream().readNBytes(5)).hasSize(5);
        int port = socket.getLocalPort();
        socket.setSoLinger(true, 0);
        socket.close();

        assertThat(closedReason.join()).isEqualTo("link to 127.0.0.1:" + port + " broke: connection reset by peer");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takenPortIsSaidToBeTaken(boolean isNative) {
        Endpoint taken =
                new Endpoint("127.0.0.1", listenAndEcho(isNative).endpoint().port());
        EventLoop loop = host.newLoop("other", LoopKind.NETWORK);

        assertThatThrownBy(() ->
                        host.network().listen(loop, taken, remote -> new Echo()).join())
                .hasRootCauseInstanceOf(IOException.class)
                .cause()
                .hasMessage("cannot listen on " + taken + ": address already in use");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void foreignAddressCannotBeListenedOn(boolean isNative) {
        listenAndEcho(isNative);
        EventLoop loop = host.newLoop("other", LoopKind.NETWORK);

        assertThatThrownBy(() -> host.network()
                        .listen(loop, new Endpoint("192.0.2.1", 4000), remote -> new Echo())
                        .join())
                .cause()
                .hasMessage("cannot listen on 192.0.2.1:4000: not an address of this machine");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusedConnectionIsSaidToBeRefused(boolean isNative) {
        listenAndEcho(isNative);
        EventLoop loop = host.newLoop("other", LoopKind.NETWORK);

        host.network().connect(loop, new Endpoint("127.0.0.1", 1), 1_000_000_000L, new Echo());

        assertThat(closedReason.join()).isEqualTo("cannot connect to 127.0.0.1:1: connection refused");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unknownHostIsSaidToBeUnknown(boolean isNative) {
        listenAndEcho(isNative);
        EventLoop loop = host.newLoop("other", LoopKind.NETWORK);

        host.network().connect(loop, new Endpoint("no-such-host.invalid", 1), 10_000_000_000L, new Echo());

        assertThat(closedReason.join()).isEqualTo("cannot connect to no-such-host.invalid:1: unknown host");
    }
}
