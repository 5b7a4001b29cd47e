// SPDX-License-Identifier: Apache-2.0
package io.daybook.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.daybook.cli.Run;
import io.daybook.ledger.DaybookLedgerClient;
import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.runtime.system.SystemHost;
import io.daybook.stream.DLSN;
import io.daybook.testkit.cluster.LocalBookie;
import io.daybook.testkit.cluster.LocalCluster;
import io.daybook.testkit.junit.DaybookCluster;
import io.daybook.testkit.junit.FreshName;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on streams, ledgers and the cluster, against a real cluster. */
@DaybookCluster
final class CommandsIT {
    private String uri = "";

    @BeforeEach
    void connect(LocalCluster cluster) {
        uri = cluster.uri().toString();
    }

    private Run run(String... arguments) {
        return runWithInput(new byte[0], arguments);
    }

    private Run runWithInput(byte[] input, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--namespace");
        all.add(uri);
        return Run.withInput(input, all.toArray(String[]::new));
    }

    private static void assertDone(Run run) {
        assertThat(run.exitCode()).as(run.messages()).isZero();
        assertThat(run.messages()).isEmpty();
    }

    private static void assertFailed(Run run, String... parts) {
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.messages().lines()).as(run.messages()).hasSize(1);
        assertThat(run.messages()).startsWith("daybook: ").contains(parts);
    }

    @Test
    void whatWasWrittenIsReadByteForByte(@FreshName String name) {
        Random random = new Random(7);
        byte[] first = new byte[3 * 1024 * 1024];
        random.nextBytes(first);
        byte[] second = "\n\n\r\nlast line without its end".getBytes(UTF_8);

        assertDone(run("stream", "create", name));
        Run firstWrite = runWithInput(first, "stream", "write", name);
        Run secondWrite = runWithInput(second, "stream", "write", name);
        Run nothing = runWithInput(new byte[0], "stream", "write", name);
        Run read = run("stream", "read", name);

        assertDone(firstWrite);
        assertThat(firstWrite.out()).matches("[0-9]+:[0-9]+:[0-9]+\n");
        assertDone(secondWrite);
        assertThat(nothing.out()).isEqualTo(secondWrite.out());
        assertDone(read);
        assertThat(read.outBytes())
                .isEqualTo(ByteBuffer.allocate(first.length + second.length)
                        .put(first)
                        .put(second)
                        .array());
    }

    @Test
    void recordsCarryPositionsAndTransactionIdsInJson(@FreshName String name) {
        Run write = runWithInput("a\nb\n".getBytes(UTF_8), "stream", "write", name, "--create", "--output", "json");
        Run own = runWithInput(
                "{\"transactionId\":50,\"text\":\"c\"}{\"base64\":\"/w==\"}".getBytes(UTF_8),
                "stream",
                "write",
                name,
                "--format",
                "json");
        Run read = run("stream", "read", name, "--format", "json");

        assertDone(write);
        assertThat(write.out()).contains("\"records\":2", "\"bytes\":4", "\"lastPosition\":\"");
        assertDone(own);
        assertThat(read.out().lines())
                .hasSize(4)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("\"sequenceId\":0", "\"transactionId\":0", "\"text\":\"a\\n\""),
                        line -> assertThat(line)
                                .contains("\"sequenceId\":1", "\"transactionId\":1", "\"text\":\"b\\n\""),
                        line -> assertThat(line).contains("\"sequenceId\":2", "\"transactionId\":50", "\"text\":\"c\""),
                        line -> assertThat(line)
                                .contains("\"sequenceId\":3", "\"transactionId\":51", "\"base64\":\"/w==\""));
    }

    @Test
    void readingBeginsWhereItIsTold(@FreshName String name) {
        Run write = runWithInput("a\nb\nc\nd\n".getBytes(UTF_8), "stream", "write", name, "--create");

        assertThat(run("stream", "read", name, "--from", "txid:2").out()).isEqualTo("c\nd\n");
        assertThat(run("stream", "read", name, "--from", write.out().strip()).out())
                .isEqualTo("d\n");
        assertThat(run("stream", "read", name, "--from", "after:" + write.out().strip())
                        .out())
                .isEmpty();
        assertThat(run("stream", "read", name, "--from", "latest").out()).isEmpty();
        assertThat(run("stream", "read", name, "--count", "2").out()).isEqualTo("a\nb\n");
        assertThat(run("stream", "read", name, "--count", "3", "--follow").out())
                .isEqualTo("a\nb\nc\n");
    }

    @Test
    void streamIsTruncatedAskedAndKeptOtherwise(@FreshName String name) {
        // D-148
        assertDone(run("stream", "create", name, "--retention-age", "3d", "--retention-bytes", "1MiB"));
        assertDone(runWithInput("a\nb\nc\nd\n".getBytes(UTF_8), "stream", "write", name));
        String first = run("stream", "position", name, "--at", "earliest").out().split(" ", 2)[0];
        String third = run("stream", "position", name, "--at", "txid:2").out().split(" ", 2)[0];

        Run truncate = run("stream", "truncate", name, "--below", third);
        Run beyond = run("stream", "truncate", name, "--below", "77:0:0");
        Run options = run("stream", "options", name, "--retention-age", "0", "--segment-bytes", "5MiB");

        assertThat(truncate.out().strip()).isEqualTo(third);
        assertFailed(beyond, "77:0:0");
        assertThat(run("stream", "read", name).out()).isEqualTo("c\nd\n");
        assertFailed(run("stream", "read", name, "--from", first), "truncat");
        assertThat(run("stream", "read", name, "--from", first, "--or-earliest").out())
                .isEqualTo("c\nd\n");
        assertThat(run("stream", "read", name, "--from", "time:2020-01-01T00:00:00Z")
                        .out())
                .isEqualTo("c\nd\n");
        assertThat(run("stream", "position", name).out()).endsWith(" 3 3\n");
        assertThat(options.out()).contains("5242880").contains("1048576");
        assertThat(run("stream", "show", name, "--output", "json").out())
                .contains("\"firstKept\":\"" + third)
                .contains("\"records\":2");
    }

    @Test
    void watchTellsWhichStreamsThereAreAndComeAndGo(@FreshName String name) {
        assertDone(run("stream", "create", name + "/a"));

        Run present = run("stream", "watch", name + "/", "--count", "1");
        Run json = run("stream", "watch", name + "/", "--count", "1", "--output", "json");
        Run hasty = run("stream", "watch", name, "--interval", "1ms");

        assertDone(present);
        assertThat(present.out()).isEqualTo("present " + name + "/a\n");
        assertThat(json.out()).isEqualTo("{\"kind\":\"present\",\"name\":\"" + name + "/a\"}\n");
        assertFailed(hasty, "--interval", "10 milliseconds");

        CompletableFuture<Run> watching = CompletableFuture.supplyAsync(
                () -> run("stream", "watch", name + "/", "--count", "3", "--interval", "50ms"));
        CompletableFuture<Void> making = CompletableFuture.runAsync(() -> {
            for (int i = 0; !watching.isDone(); i++) {
                assertDone(run("stream", "create", name + "/b" + i));
            }
        });
        making.join();
        assertThat(watching.join().out().lines()).hasSize(3).allMatch(line -> line.matches("(present|created) .*"));
    }

    @Test
    void positionOfADeletedStreamIsRefusedByTheNextOneOfItsName(@FreshName String name) {
        String old = runWithInput("a\nb\n".getBytes(UTF_8), "stream", "write", name, "--create")
                .out()
                .strip();
        assertDone(run("stream", "delete", name));
        String now = runWithInput("c\nd\n".getBytes(UTF_8), "stream", "write", name, "--create")
                .out()
                .strip();

        // S14
        assertThat(DLSN.parse(now)).isGreaterThan(DLSN.parse(old));
        assertFailed(run("stream", "read", name, "--from", old), old, "deleted");
        assertFailed(run("stream", "read", name, "--from", "after:" + old, "--or-earliest"), old, "deleted");
        assertFailed(run("stream", "position", name, "--at", old), old, "deleted");
        assertFailed(run("stream", "truncate", name, "--below", old), old, "deleted");
        assertFailed(run("subscription", "create", name, "s", "--at", old), old, "deleted");
        assertThat(run("stream", "read", name).out()).isEqualTo("c\nd\n");
    }

    @Test
    void streamIsRenamedWithWhatItHas(@FreshName String name) {
        String other = name + "/other";
        String last = runWithInput("a\nb\n".getBytes(UTF_8), "stream", "write", name, "--create")
                .out()
                .strip();
        assertDone(run("subscription", "create", name, "billing", "--at", "txid:1"));

        // D-133
        assertFailed(run("stream", "rename", name, name), name, "that name already");
        assertFailed(run("stream", "rename", other, name), other, "does not exist");
        Run renamed = run("stream", "rename", name, other, "--output", "json");
        assertDone(renamed);
        assertThat(renamed.out())
                .contains("\"name\":\"" + name + "\"", "\"newName\":\"" + other + "\"", "\"segmentShift\":");
        assertThat(run("stream", "read", other).out()).isEqualTo("a\nb\n");
        assertThat(run("stream", "read", other, "--from", "subscription:billing")
                        .out())
                .isEqualTo("b\n");
        assertFailed(run("stream", "read", name), name, "does not exist");
        assertDone(runWithInput("c\n".getBytes(UTF_8), "stream", "write", name, "--create"));
        assertFailed(run("stream", "rename", name, other), other, "exists already", "free");
        assertFailed(run("stream", "read", name, "--from", last), last, "renamed");
        Run back = run("stream", "rename", name, name + "/third", "--take-over");
        assertDone(back);
        assertThat(back.out()).matches(name + "/third( segments \\+[0-9]+)?\n");
        assertThat(run("stream", "list", name).out()).isEqualTo(other + "\n" + name + "/third\n");
    }

    @Test
    void subscriptionsAreMadeMovedShownListedAndDeleted(@FreshName String name) {
        assertDone(runWithInput("a\nb\nc\nd\n".getBytes(UTF_8), "stream", "write", name, "--create"));
        String third = run("stream", "position", name, "--at", "txid:2").out().split(" ", 2)[0];

        assertDone(run("subscription", "create", name, "billing", "--at", "txid:1"));
        assertFailed(run("subscription", "create", name, "billing"), "billing");
        assertThat(run("stream", "read", name, "--from", "subscription:billing").out())
                .isEqualTo("b\nc\nd\n");
        assertThat(run("subscription", "set", name, "billing", "--next", third)
                        .out()
                        .strip())
                .isEqualTo(third);
        assertThat(run("subscription", "list", name).out()).isEqualTo("billing " + third + "\n");
        assertThat(run("subscription", "show", name, "billing", "--output", "json")
                        .out())
                .contains("\"next\":\"" + third);
        assertThat(run("stream", "read", name, "--from", "subscription:billing").out())
                .isEqualTo("c\nd\n");
        assertDone(run("subscription", "delete", name, "billing"));
        assertFailed(run("subscription", "show", name, "billing"), "billing");
        assertThat(run("subscription", "list", name).out()).isEmpty();
    }

    @Test
    void streamsAreListedShownAndDeleted(@FreshName String name) {
        // D-148
        String a = name + "/a";
        String b = name + "/b";
        assertDone(run("stream", "create", b, "--quorums", "3/2/2", "--segment-bytes", "4MiB", "--strict"));
        assertDone(run("stream", "create", a));

        Run list = run("stream", "list", name);
        Run show = run("stream", "show", b);
        Run twice = run("stream", "create", a);
        Run delete = run("stream", "delete", a);
        Run listAfter = run("stream", "list", name, "--output", "json");

        assertThat(list.out()).isEqualTo(a + "\n" + b + "\n");
        assertThat(show.out())
                .containsPattern("quorums +3/2/2")
                .containsPattern("segment bytes max +4194304")
                .containsPattern("transaction ids +strict");
        assertFailed(twice, a);
        assertDone(delete);
        assertThat(listAfter.out()).isEqualTo("{\"name\":\"" + b + "\"}\n");
    }

    @Test
    void whatIsNotThereIsNamed(@FreshName String name) {
        for (String verb : List.of("read", "write", "show", "delete", "tail")) {
            assertFailed(run("stream", verb, name), name);
        }
        assertFailed(run("ledger", "show", "4711"), "4711");
        assertFailed(run("ledger", "read", "4711"), "4711");
    }

    @Test
    void anIllegalNameIsRefusedWithTheRule() {
        for (String illegal : List.of("/a", "a//b", "a/", "a b", "ä", "x".repeat(256))) {
            assertFailed(run("stream", "create", illegal), "name");
        }
    }

    @Test
    void aRecordThatIsTooLargeIsRefusedAndWhatStandsBeforeItIsKept(@FreshName String name) {
        byte[] input = ByteBuffer.allocate(6 + 4 + 2 * 1024 * 1024 + 1)
                .putInt(2)
                .put("ok".getBytes(UTF_8))
                .putInt(2 * 1024 * 1024 + 1)
                .array();

        Run write = runWithInput(input, "stream", "write", name, "--create", "--format", "length-prefixed");

        assertFailed(write, "record 2", "2097152", "1 before it are stored, the last at 1:0:0");
        assertThat(run("stream", "read", name).out()).isEqualTo("ok");
    }

    @Test
    void aTransactionIdThatFallsIsRefused(@FreshName String name) {
        String input = "{\"transactionId\":5,\"text\":\"a\"}{\"transactionId\":4,\"text\":\"b\"}";

        Run write = runWithInput(input.getBytes(UTF_8), "stream", "write", name, "--create", "--format", "json");

        assertFailed(write, "record 2 was not written", "5", "4", "1 before it are stored");
    }

    @Test
    void ledgersAreWrittenReadAndDeleted() {
        Run create = runWithInput("one\ntwo\nthree".getBytes(UTF_8), "ledger", "create", "--quorums", "2/2/1");
        String id = create.out().strip();

        assertDone(create);
        assertThat(run("ledger", "read", id).out()).isEqualTo("one\ntwo\nthree");
        assertThat(run("ledger", "read", id, "--from", "1", "--count", "1", "--output", "json")
                        .out())
                .isEqualTo("{\"ledgerId\":" + id + ",\"entryId\":1,\"text\":\"two\\n\"}\n");
        assertThat(run("ledger", "read", id, "--follow").out()).isEqualTo("one\ntwo\nthree");
        assertThat(run("ledger", "list").out().lines()).contains(id);
        assertThat(run("ledger", "show", id).out())
                .containsPattern("state +CLOSED")
                .containsPattern("quorums +2/2/1")
                .containsPattern("last entry id +2");
        assertThat(run("ledger", "tail", id, "--last", "2").out()).isEqualTo("two\nthree");
        assertThat(run("ledger", "fence", id).out()).isEqualTo(id + "\n");
        assertThat(run("ledger", "recover", id).out()).isEqualTo("2\n");
        Run verify = run("ledger", "verify", id, "--output", "json");
        assertDone(verify);
        assertThat(verify.out()).contains("\"soundCopies\":6,\"flawedCopies\":0");
        assertDone(run("ledger", "delete", id));
        assertFailed(run("ledger", "read", id), id);
    }

    // S-52
    @Test
    void aBookieTellsWhatItKnowsOfItself(LocalCluster cluster) {
        LocalBookie bookie = cluster.bookie(0);
        String id = bookie.id().toString();
        assertDone(runWithInput("one\ntwo\n".getBytes(UTF_8), "ledger", "create", "--quorums", "3/3/3"));

        Run shown = run("bookie", "show", id);
        Run json = run("bookie", "show", id.substring(0, 12), "--output", "json");
        String host = json.out().replaceAll("(?s).*\"host\":\"([^\"]+)\",\"port\":([0-9]+).*", "$1:$2");
        Run byEndpoint = run("bookie", "show", host, "--output", "json");

        assertDone(shown);
        assertThat(shown.out())
                .containsPattern("bookie id +" + id)
                .containsPattern("state +writable")
                .containsPattern("serving since +20")
                .containsPattern("data-0 .* roomy")
                .contains("journal-0");
        assertDone(json);
        assertThat(json.out())
                .contains("\"bookieId\":\"" + id + "\"", "\"readOnlyBecause\":[]", "\"problems\":[]", "\"damages\":0")
                .containsPattern("\"ledgers\":\\{\"count\":[1-9]")
                .containsPattern("\"replayBytes\":[1-9]")
                .containsPattern("\"totalBytes\":[1-9]");
        assertDone(byEndpoint);
        assertThat(byEndpoint.out()).contains(id);
    }

    // S-52
    @Test
    void aBookieThatCannotBeAskedIsNamedWithTheReason(LocalCluster cluster) {
        String id = cluster.bookie(1).id().toString();

        assertFailed(
                run("bookie", "show", "0123456789abcdef0123456789abcdef"), "there is no bookie 0123", "bookie list");
        assertFailed(run("bookie", "show", id.substring(0, 3)), "too short");
        assertFailed(run("bookie", "show", "127.0.0.1:1"), "no bookie that runs listens at 127.0.0.1:1");
    }

    @Test
    void aLedgerWithAKeyIsUsedOnlyWithTheFileThatHoldsIt(@TempDir Path directory) throws IOException { // P-06
        String key = Files.writeString(directory.resolve("key"), "sixteen bytes or more")
                .toString();
        String other = Files.writeString(directory.resolve("other"), "another key, as long")
                .toString();
        String tooShort =
                Files.writeString(directory.resolve("short"), "fifteen letters").toString();
        Run create = runWithInput("one\ntwo\n".getBytes(UTF_8), "ledger", "create", "--hmac", "--digest-key-file", key);
        String id = create.out().strip();

        assertDone(create);
        assertThat(run("ledger", "read", id, "--digest-key-file", key).out()).isEqualTo("one\ntwo\n");
        assertThat(run("ledger", "tail", id, "--digest-key-file", key).out()).isEqualTo("one\ntwo\n");
        assertThat(run("ledger", "recover", id, "--digest-key-file", key).out()).isEqualTo("1\n");
        assertDone(run("ledger", "verify", id, "--digest-key-file", key));
        for (String verb : List.of("read", "tail", "recover", "verify")) {
            assertFailed(run("ledger", verb, id), "ledger " + id, "none was given");
            assertFailed(run("ledger", verb, id, "--digest-key-file", other), "ledger " + id, "another one was given");
        }
        assertThat(runWithInput(new byte[0], "ledger", "create", "--hmac"))
                .returns(2, Run::exitCode)
                .satisfies(refused -> assertThat(refused.messages()).contains("--digest-key-file"));
        assertFailed(run("ledger", "read", id, "--digest-key-file", tooShort), tooShort, "16");
        assertFailed(run("ledger", "read", id, "--digest-key-file", tooShort + "er"), tooShort + "er");
    }

    @Test
    void aStreamWithAnHmacIsUsedOnlyWithTheFileThatHoldsItsKey(@FreshName String name, @TempDir Path directory)
            throws IOException { // P-06
        Path file = Files.writeString(directory.resolve("key"), "sixteen bytes or more");
        String key = "--digest-key-file=" + file;

        assertDone(run("stream", "create", name, "--hmac", key));
        assertDone(runWithInput("one\ntwo\n".getBytes(UTF_8), "stream", "write", name, key));
        assertThat(run("stream", "read", name, key).out()).isEqualTo("one\ntwo\n");
        assertThat(run("stream", "show", name, key).out()).contains("hmac-sha256");
        assertFailed(run("stream", "read", name), name, "key", "--digest-key-file");
        assertThat(run("stream", "show", name).out()).contains("hmac-sha256", "completed");
        assertThat(run("stream", "options", name, "--retention-age", "7d").out())
                .contains("hmac-sha256", "604800");
        assertFailed(run("stream", "read", name, key + "s"), file + "s");
        assertDone(run("stream", "seal", name, key));
        assertThat(run("stream", "seal", name).out()).isEqualTo("sealed before\n");
        assertDone(run("stream", "delete", name));
    }

    @Test
    void anOpenLedgerIsReadAsFarAsTheBookiesKnowThatAreLeft(LocalCluster cluster) {
        LedgerMetadata ledger = abandonedLedger(cluster, "one\n", "two\n");
        List<LocalBookie> lost = cluster.bookies().stream()
                .filter(bookie -> bookie.state() == LocalBookie.State.RUNNING)
                .filter(bookie -> ledger.lastFragment().ensemble().subList(0, 2).contains(bookie.id()))
                .toList();
        lost.forEach(LocalBookie::stop);

        Run read = run("ledger", "read", Long.toString(ledger.ledgerId()));
        lost.forEach(LocalBookie::restart);

        assertThat(read.exitCode()).as(read.messages()).isZero();
        assertThat(read.out()).startsWith("one\n");
        assertThat(read.messages()).contains("too few bookies", "at least up to");
        assertThat(run("ledger", "recover", Long.toString(ledger.ledgerId())).out())
                .isEqualTo("1\n");
    }

    /** A ledger whose writer is gone. */
    private static LedgerMetadata abandonedLedger(LocalCluster cluster, String... entries) {
        MetadataStores stores = cluster.metadataStores();
        try (SystemHost host = SystemHost.start()) {
            LedgerClient client = DaybookLedgerClient.open(
                    LedgerClientConfig.defaults(),
                    host,
                    stores,
                    stores.cluster().read().join().clusterId());
            LedgerWriter writer = client.create(CreateOptions.DEFAULT).join();
            for (String entry : entries) {
                writer.append(Unpooled.copiedBuffer(entry, UTF_8)).join();
            }
            LedgerMetadata ledger = client.metadata(writer.ledgerId()).join().value();
            client.shutdown().join();
            return ledger;
        }
    }

    @Test
    void theClusterIsShownAndABookieThatIsDownIsListedAsSuch(LocalCluster cluster) {
        Run status = run("cluster", "status");
        Run bookies = run("bookie", "list");

        assertThat(status.out()).containsPattern("live bookies +3").containsPattern("formatted bookies +3");
        assertThat(bookies.out().lines()).hasSize(4);
        assertThat(bookies.out())
                .contains(
                        cluster.bookie(0).id().toString(),
                        cluster.bookie(1).id().toString(),
                        cluster.bookie(2).id().toString());

        // S-52
        LocalBookie added = cluster.addBookie();
        String id = added.id().toString();
        added.stop();
        assertThat(run("bookie", "list").out()).containsPattern(id + " .* down");
        Run down = run("bookie", "show", id, "--output", "json");
        assertThat(down.exitCode()).isEqualTo(1);
        assertThat(down.out()).contains("\"state\":\"down\"", "\"roles\":[");
        assertThat(down.messages()).contains(id.substring(0, 8), "it is down", "--data");
        assertThat(run("cluster", "status").out())
                .containsPattern("live bookies +3")
                .containsPattern("formatted bookies +4");
    }
}
