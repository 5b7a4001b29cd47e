// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.AdvancedLedgerWriter;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.LedgerWriter.AppendListener;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Quorums;
import io.daybook.runtime.EventLoop;
import io.daybook.runtime.system.SystemHost;
import io.daybook.testkit.cluster.LocalCluster;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The code of {@code docs/ledger-api.md}, on real bookies: what stands between {@code guide:} and {@code end} is on the page. */
final class LedgerGuideTest {
    private static LocalCluster cluster;
    private static MetadataStores stores;
    private static SystemHost host;
    private static LedgerClient client;

    @BeforeAll
    static void connect() {
        cluster = LocalCluster.builder().bookies(3).start();
        String namespace = cluster.uri().toString();
        // guide: connect
        stores = MetadataStoresProvider.connect(URI.create(namespace), 10_000); // such as zk://host:2181/daybook
        host = SystemHost.start();
        client = DaybookLedgerClient.open(
                LedgerClientConfig.defaults(),
                host,
                stores,
                stores.cluster().read().join().clusterId());
        // end
    }

    @AfterAll
    static void disconnect() {
        // guide: disconnect
        client.shutdown().join();
        host.close();
        stores.close();
        // end
        cluster.close();
    }

    private static long writtenLedger(int entries) {
        LedgerWriter writer = client.create(CreateOptions.DEFAULT).join();
        for (int i = 0; i < entries; i++) {
            writer.append(Unpooled.copiedBuffer("entry " + i, StandardCharsets.UTF_8))
                    .join();
        }
        writer.close().join();
        return writer.ledgerId();
    }

    private static List<String> readAll(LedgerReader reader) {
        // guide: read
        List<String> texts = new ArrayList<>();
        long next = 0;
        while (next <= reader.lastAddConfirmed()) {
            try (LedgerEntries entries = reader.read(next, 1_000, 1_000_000).join()) {
                for (LedgerEntries.Entry entry : entries.list()) {
                    texts.add(entry.payload().toString(StandardCharsets.UTF_8));
                    next = entry.entryId() + 1;
                }
            }
        }
        // end
        return texts;
    }

    @Test
    void aLedgerIsWrittenAndClosed() {
        // guide: write
        LedgerWriter writer = client.create(CreateOptions.DEFAULT.withQuorums(new Quorums(3, 3, 2)))
                .join();
        CompletableFuture<Long> first = writer.append(Unpooled.copiedBuffer("hello", StandardCharsets.UTF_8));
        CompletableFuture<Long> second = writer.append(Unpooled.copiedBuffer("ledger", StandardCharsets.UTF_8));
        long end = writer.close().join(); // waits for both
        // end

        assertThat(first.join()).isZero();
        assertThat(second.join()).isEqualTo(1);
        assertThat(end).isEqualTo(1);
    }

    @Test
    void theCallerGivesTheIdsOfEntries() {
        // guide: advanced
        AdvancedLedgerWriter writer =
                client.createAdvanced(CreateOptions.DEFAULT).join();
        CompletableFuture<Long> second = writer.append(1, Unpooled.copiedBuffer("ledger", StandardCharsets.UTF_8));
        CompletableFuture<Long> first = writer.append(0, Unpooled.copiedBuffer("hello", StandardCharsets.UTF_8));
        CompletableFuture<Long> third = writer.append(3, Unpooled.copiedBuffer("lost", StandardCharsets.UTF_8));
        long end = writer.close().join(); // entry 2 is missing: what lies beyond it is dropped
        // end

        assertThat(first.join()).isZero();
        assertThat(second.join()).isEqualTo(1);
        assertThatThrownBy(third::join).hasCauseInstanceOf(LedgerException.HandleClosed.class);
        assertThat(end).isEqualTo(1);
    }

    @Test
    void aProgramSharesALoopWithItsHandles() {
        CompletableFuture<Long> appended = new CompletableFuture<>();
        // guide: loop
        EventLoop loop = client.assignLoop();
        LedgerWriter writer = client.create(CreateOptions.DEFAULT.on(loop)).join();
        loop.execute(() -> writer.append(
                Unpooled.copiedBuffer("from the loop", StandardCharsets.UTF_8), AppendListener.completing(appended)));
        // end

        assertThat(appended.join()).isZero();
        assertThat(writer.loop()).isSameAs(loop);
        writer.close().join();
    }

    @Test
    void aFastWriterWaitsForRoom() {
        LedgerWriter writer = client.create(CreateOptions.DEFAULT).join();
        // guide: room
        for (int i = 0; i < 1_000; i++) {
            writer.ready().join(); // there is room, or the append tells why not
            writer.append(Unpooled.wrappedBuffer(new byte[1_000]));
        }
        // end

        assertThat(writer.close().join()).isEqualTo(999);
        assertThat(writer.lengthBytes()).isEqualTo(1_000_000);
    }

    @Test
    void aWriterForcesWhenItWantsTo() {
        // guide: force
        LedgerWriter writer =
                client.create(CreateOptions.DEFAULT.deferringSync()).join();
        for (int i = 0; i < 1_000; i++) {
            writer.append(Unpooled.wrappedBuffer(new byte[100])); // done when Qa bookies have it in memory
        }
        long durable = writer.force().join(); // all of it is on disk now, and readers see it
        // end

        assertThat(durable).isEqualTo(999);
        assertThat(writer.lastAddConfirmed()).isEqualTo(999);
        assertThat(writer.close().join()).isEqualTo(999);
    }

    @Test
    void aClosedLedgerIsRead() {
        long ledgerId = writtenLedger(3);
        // guide: open
        LedgerReader reader = client.open(ledgerId, OpenOptions.DEFAULT).join();
        boolean isComplete = reader.isClosed();
        long last = reader.lastAddConfirmed();
        // end

        assertThat(isComplete).isTrue();
        assertThat(last).isEqualTo(2);
        assertThat(readAll(reader)).containsExactly("entry 0", "entry 1", "entry 2");
        reader.close();
    }

    @Test
    void theTailIsFollowedUntilTheLedgerIsClosed() {
        LedgerWriter writer = client.create(CreateOptions.DEFAULT).join();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            writer.append(Unpooled.copiedBuffer("entry " + i, StandardCharsets.UTF_8));
        }
        CompletableFuture<Long> closed = writer.close();
        long ledgerId = writer.ledgerId();
        // guide: tail
        LedgerReader reader = client.open(ledgerId, OpenOptions.DEFAULT).join();
        long waitNanos = 10_000_000_000L; // afterwards it completes with nothing
        long next = 0;
        while (!reader.isClosed() || next <= reader.lastAddConfirmed()) {
            try (LedgerEntries entries =
                    reader.readTail(next, 100, 1_000_000, waitNanos).join()) {
                for (LedgerEntries.Entry entry : entries.list()) {
                    texts.add(entry.payload().toString(StandardCharsets.UTF_8));
                    next = entry.entryId() + 1;
                }
            }
        }
        reader.close();
        // end

        assertThat(closed.join()).isEqualTo(4);
        assertThat(texts).containsExactly("entry 0", "entry 1", "entry 2", "entry 3", "entry 4");
    }

    @Test
    void theLedgerOfALostWriterIsRecovered() {
        LedgerWriter lost = client.create(CreateOptions.DEFAULT).join();
        lost.append(Unpooled.copiedBuffer("kept", StandardCharsets.UTF_8)).join();
        long ledgerId = lost.ledgerId();
        // guide: recover
        LedgerReader reader = client.recover(ledgerId, OpenOptions.DEFAULT).join();
        long end = reader.lastAddConfirmed(); // for ever, and the same for everybody
        // end

        assertThat(end).isZero();
        assertThat(readAll(reader)).containsExactly("kept");
        // Whether it may be there depends on whether the writer heard of the fence before, when it told what is
        // confirmed.
        assertThat(appendTooLate(lost)).startsWith("fenced: ");
        assertThat(appendTooLate(lost)).startsWith("fenced: it is in no log");
        assertThat(lost.failure().join()).isInstanceOf(LedgerException.Fenced.class);
    }

    private static String appendTooLate(LedgerWriter writer) {
        ByteBuf payload = Unpooled.copiedBuffer("too late", StandardCharsets.UTF_8);
        // guide: failure
        try {
            return "entry " + writer.append(payload).join();
        } catch (CompletionException wrapped) {
            LedgerException why = (LedgerException) wrapped.getCause();
            return switch (why.outcome()) {
                case FAILED -> why.code() + ": it is in no log and never will be";
                case UNKNOWN -> why.code() + ": it may be in the ledger; recover it to learn";
            };
        }
        // end
    }

    @Test
    void aLedgerWithAKeyIsReadOnlyWithIt() {
        // guide: key
        DigestKey key = DigestKey.of("at least sixteen bytes".getBytes(StandardCharsets.UTF_8));
        CreateOptions options =
                CreateOptions.DEFAULT.withDigest(DigestType.HMAC_SHA256, key).withCustom(Map.of("owner", "billing"));
        LedgerWriter writer = client.create(options).join();
        writer.append(Unpooled.copiedBuffer("secret", StandardCharsets.UTF_8)).join();
        writer.close().join();
        LedgerReader reader =
                client.open(writer.ledgerId(), OpenOptions.DEFAULT.withKey(key)).join();
        // end

        assertThat(readAll(reader)).containsExactly("secret");
        assertThat(reader.metadata().custom()).containsEntry("owner", "billing");
        assertThatThrownBy(() ->
                        client.open(writer.ledgerId(), OpenOptions.DEFAULT).join())
                .hasCauseInstanceOf(LedgerException.WrongKey.class);
    }

    @Test
    void ledgersAreListedAndDeleted() {
        long ledgerId = writtenLedger(1);
        List<Long> found = new ArrayList<>();
        // guide: list
        long after = -1;
        Page<Long> page;
        do {
            page = client.list(after, 100).join();
            for (long id : page.items()) {
                found.add(id);
                after = id;
            }
        } while (!page.isLast());
        client.delete(ledgerId).join();
        // end

        assertThat(found).contains(ledgerId);
        assertThatThrownBy(() -> client.open(ledgerId, OpenOptions.DEFAULT).join())
                .hasCauseInstanceOf(LedgerException.LedgerGone.class);
    }
}
