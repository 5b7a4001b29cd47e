// SPDX-License-Identifier: Apache-2.0
package io.daybook.bookie;

import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.bookie.journal.Journal;
import io.daybook.metadata.model.ClusterId;
import io.daybook.protocol.StatusCode;
import io.daybook.protocol.wire.LinkKind;
import io.daybook.protocol.wire.MessageType;
import io.daybook.protocol.wire.ReadRequest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Links: greetings, bad frames, bounds, back-pressure, and that every buffer is given back. */
final class LinksTest {
    private final SimulatedBookie one = new SimulatedBookie(5);

    @Test
    void anUnfinishedHandshakeIsClosedAfterFiveSeconds() {
        one.format().start();
        TestClient client = one.connect();
        one.world.runFor(TimeUnit.SECONDS.toNanos(4));
        assertThat(client.isClosed()).isFalse();

        one.world.runFor(TimeUnit.SECONDS.toNanos(2));

        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void aWrongHelloIsAnsweredAndTheLinkClosed() {
        one.format().start();
        TestClient client =
                one.connect().hello(new ClusterId(8, 8), one.cookie().bookieId(), LinkKind.APPEND);

        assertThat(client.hellos.get(0).status()).isEqualTo(StatusCode.WRONG_BOOKIE);
        one.until(client::isClosed);
    }

    @Test
    void aRequestBeforeTheHelloClosesTheLinkWithAReason() {
        one.format().start();
        TestClient client = one.connect();
        client.fence(5);

        one.until(client::isClosed);

        assertThat(client.errors).hasSize(1);
        assertThat(client.fences).isEmpty();
    }

    // S-48
    @Test
    void aBadFrameClosesThatOneLinkWithAReason() {
        one.format().start();
        TestClient other = one.client(LinkKind.APPEND);
        TestClient client = one.client(LinkKind.APPEND);
        client.sendRaw(new byte[] {(byte) MessageType.ADD.number(), MessageType.LAYOUT_VERSION, 0, 0, 1, 2, 3});

        one.until(client::isClosed);

        assertThat(client.errors).hasSize(1);
        assertThat(client.errors.get(0).status()).isEqualTo(StatusCode.BAD_REQUEST);
        assertThat(other.addAndWait(5, 0, "zero")).isEqualTo(StatusCode.OK);
    }

    // S-48, P-122
    @Test
    void theLargestEntryIsTakenAndOneByteMoreIsTooLarge() {
        one.format().start();
        TestClient client = one.client(LinkKind.APPEND);
        int entryBytesMax = client.hellos.get(0).entryBytesMax();
        assertThat(entryBytesMax).isEqualTo(Journal.entryBytesMax(SimulatedBookie.SLAB_BYTES, 4096));

        client.addAt(5, 0, -1, new byte[entryBytesMax - 32], 0);
        client.addAt(5, 1, 0, new byte[entryBytesMax - 31], 0);
        client.addAt(5, 1, 0, new byte[entryBytesMax - 32], 0);

        one.until(() -> client.acks.size() == 3);
        assertThat(client.acks.stream().filter(ack -> ack.status() == StatusCode.TOO_LARGE))
                .hasSize(1);
        assertThat(client.acknowledged()).isEqualTo(2);
        assertThat(client.readOne(5, 1).entries().get(0)).hasSize(entryBytesMax);
    }

    @Test
    void anEntryThatClaimsToConfirmItselfIsABadRequest() {
        one.format().start();
        TestClient client = one.client(LinkKind.APPEND);

        client.addAt(5, 0, 0, new byte[10], 0);

        one.until(() -> client.acks.size() == 1);
        assertThat(client.acks.get(0).status()).isEqualTo(StatusCode.BAD_REQUEST);
    }

    // P-125
    @Test
    void readsBeyondTheBoundOfALinkAreBusyWhileThoseThatWaitForAnEntryDoNotCount() {
        one.config = one.config.withClientBounds(2, 100);
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        for (int i = 0; i < 3; i++) {
            writer.addAndWait(5, i, "entry " + i);
        }
        one.close();
        one.start();
        TestClient client = one.client(LinkKind.OTHER);
        // S-45: one program may follow very many ledgers.
        for (int i = 0; i < 50; i++) {
            client.read(100 + i, 0, 1, ReadRequest.FLAG_WAIT, 30_000);
        }
        one.until(() -> one.bookie().server().waitingReads() == 50);
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(5));
        for (int i = 0; i < 3; i++) {
            client.read(5, i, 1, 0, 0);
        }

        one.until(() -> !client.reads.isEmpty());

        assertThat(client.reads).hasSize(1);
        assertThat(client.reads.get(0).header().status()).isEqualTo(StatusCode.BUSY);
        one.until(() -> client.reads.size() == 3);
        assertThat(client.reads.get(1).header().status()).isEqualTo(StatusCode.OK);
        assertThat(one.bookie().server().waitingReads()).isEqualTo(50);
    }

    @Test
    void linksBeyondTheBoundAreClosedWithAReason() {
        one.config = one.config.withClientBounds(2, 1);
        one.format().start();
        one.client(LinkKind.OTHER);

        TestClient surplus = one.connect();

        one.until(surplus::isClosed);
        assertThat(surplus.errors.get(0).status()).isEqualTo(StatusCode.BUSY);
    }

    // Back-pressure: no slab is free while the data disk hangs.
    @Test
    void appendsWaitForASlabWhileReadsAndFencesGoOn() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        TestClient other = one.client(LinkKind.OTHER);
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(60));
        int count = 400;
        for (int i = 0; i < count; i++) {
            writer.add(5, i, "entry " + i + "z".repeat(400));
        }
        one.world.runFor(TimeUnit.SECONDS.toNanos(5));
        int before = writer.acknowledged();
        assertThat(before).isBetween(1, count - 1);

        assertThat(other.readAndWait(5, 0, 10, 0).entries()).hasSize(10);
        assertThat(other.fenceAndWait(6).status()).isEqualTo(StatusCode.OK);

        one.until(() -> writer.acknowledged() == count);
        assertThat(other.addAndWait(6, 0, "late")).isEqualTo(StatusCode.FENCED);
    }

    // S-47
    @Test
    void everyBufferIsGivenBackWhenClientsVanishAndTheBookieStops() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        TestClient other = one.client(LinkKind.OTHER);
        for (int i = 0; i < 300; i++) {
            writer.add(5, i, "entry " + i + "z".repeat(400));
            other.read(5, i, 10, i % 2 == 0 ? ReadRequest.FLAG_WAIT : ReadRequest.FLAG_UNCONFIRMED, 1000);
            other.add(5, i / 2, "again");
        }
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        writer.close();
        other.close();
        one.world.runFor(TimeUnit.SECONDS.toNanos(70));

        one.close();

        assertThat(one.machine.host().buffers().outstanding()).isZero();
        assertThat(one.clientHost.buffers().outstanding()).isZero();
    }

    // S-47
    @Test
    void everyBufferIsGivenBackWhenTheBookieStopsInTheMiddle() {
        one.format().start();
        TestClient writer = one.client(LinkKind.APPEND);
        TestClient other = one.client(LinkKind.OTHER);
        one.data().faults().stallFor(TimeUnit.SECONDS.toNanos(10));
        for (int i = 0; i < 300; i++) {
            writer.add(5, i, "entry " + i + "z".repeat(400));
            other.read(5, i, 10, ReadRequest.FLAG_WAIT, 30_000);
        }
        one.world.runFor(TimeUnit.MILLISECONDS.toNanos(200));

        one.world.await(one.bookie().abort(), TimeUnit.SECONDS.toNanos(60));
        one.world.runFor(TimeUnit.SECONDS.toNanos(1));

        assertThat(one.machine.host().buffers().outstanding()).isZero();
    }
}
