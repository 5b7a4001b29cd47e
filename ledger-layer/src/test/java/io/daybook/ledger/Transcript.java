// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerEntries;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.Versioned;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.StatusCode;
import io.daybook.runtime.Failures;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.runtime.simulated.network.LinkQuality;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays a readable dialogue: each command is followed by what the actors then got and did, one block per actor in the order of their names. The bookies
 * of the first ensemble are named b0, b1, … in its order; "writer" is the client with the one writer, every other name is a client of its own.
 * {@code docs/edge-cases.md} tells the commands.
 */
final class Transcript {
    static {
        // A process that crashes takes its memory with it, which the detector would call leaks. LedgerLeakTest looks
        // for real ones.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    private static final ClusterId CLUSTER = new ClusterId(7, 7);
    private static final long MILLISECOND = 1_000_000L;
    private static final String PAYLOAD = "abc";

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final MemoryMetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
    private final Map<String, List<String>> told = new TreeMap<>();
    private final ScriptedEnsemble bookies = new ScriptedEnsemble(world, stores, CLUSTER, this::tellUnlessMuted);
    private final Map<String, LedgerClient> clients = new TreeMap<>();
    private final Map<String, LedgerReader> readers = new TreeMap<>();
    private final Map<String, FaultyLedgerStore> ledgerStores = new TreeMap<>();
    private @Nullable LedgerWriter created;
    private String lastMetadata = "";
    private boolean isMuted;

    Transcript(List<String> planted) {
        planted.forEach(world.faults()::plant);
        world.network().quality(new LinkQuality(50_000, 0, 0));
    }

    /** Plays all commands of a script, whose old outcomes are ignored, and renders it with the present ones. */
    String play(String script) {
        StringBuilder out = new StringBuilder();
        for (String line : script.split("\n", -1)) {
            if (line.startsWith("#")) {
                out.append(line).append('\n');
            } else if (line.startsWith("> ")) {
                out.append('\n').append(line).append('\n');
                out.append(perform(line.substring(2)));
            }
        }
        return out.toString();
    }

    private String perform(String command) {
        List<String> words = List.of(command.split(" "));
        switch (words.get(0)) {
            case "create" -> create(words.get(1), words.contains("deferred"));
            case "spare" -> bookies.startSpare(words.get(1));
            case "append" -> append(Integer.parseInt(words.get(1)));
            case "force" -> report("writer", writer().force().thenApply(last -> "has forced " + last));
            case "close" -> report("writer", writer().close().thenApply(end -> "closed at " + end));
            case "crash" -> crash(words.get(1));
            case "restart" -> bookies.restart(words.get(1));
            case "reformat" -> bookies.reformat(words.get(1), words.get(2));
            case "repair" -> repair(words.get(1), words.get(2));
            case "metadata" ->
                ledgerStore(words.get(1))
                        .mode(FaultyLedgerStore.Mode.valueOf(
                                words.get(2).toUpperCase(Locale.ROOT).replace('-', '_')));
            case "mute" -> isMuted = true;
            case "unmute" -> isMuted = false;
            case "run" -> world.runFor(Long.parseLong(words.get(1)) * MILLISECOND);
            case "open", "recover", "delete", "refresh", "read", "peek", "tail" -> client(words);
            default -> bookie(words);
        }
        world.runFor(10 * MILLISECOND);
        tellMetadata();
        return render();
    }

    private void bookie(List<String> words) {
        ScriptedBookie bookie = bookies.bookie(words.get(1));
        String rest = String.join(" ", words.subList(2, words.size()));
        switch (words.get(0)) {
            case "hold" -> bookie.hold(rest);
            case "release" -> bookie.release();
            case "drop" -> bookie.drop();
            case "accept" -> bookie.accept();
            case "damage" -> bookie.damage(Long.parseLong(rest));
            case "refuse" -> bookie.refuse(words.get(2), StatusCode.valueOf(words.get(3)));
            case "contents" -> tell(words.get(1), bookie.contents());
            default -> throw new IllegalArgumentException("no such command: " + words);
        }
    }

    // ---- the writer ----

    private void create(String quorums, boolean isDeferred) {
        int[] numbers = quorums.chars()
                .filter(Character::isDigit)
                .map(digit -> digit - '0')
                .toArray();
        Quorums wanted = new Quorums(numbers[0], numbers[1], numbers[2]);
        bookies.startFirst(wanted.ensembleSize());
        CreateOptions options = CreateOptions.DEFAULT.withQuorums(wanted);
        CompletableFuture<LedgerWriter> creation =
                clientOf("writer").create(isDeferred ? options.deferringSync() : options);
        created = world.await(creation, 10_000 * MILLISECOND);
        writer().failure().thenAccept(failure -> tell("writer", "fails: " + failure.code()));
        bookies.nameInOrder(present().value().lastFragment().ensemble());
    }

    private LedgerWriter writer() {
        return Objects.requireNonNull(created);
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            ByteBuf payload = Unpooled.copiedBuffer(PAYLOAD, StandardCharsets.UTF_8);
            writer().append(payload, new LedgerWriter.AppendListener() {
                @Override
                public void accepted(long entryId) {
                    tellUnlessMuted("writer", "accepts " + entryId);
                }

                @Override
                public void appended(long entryId) {
                    tellUnlessMuted("writer", "acknowledges " + entryId);
                }

                @Override
                public void failed(LedgerException failure) {
                    tell("writer", "append ends " + failure.outcome() + ": " + failure.code());
                }
            });
        }
    }

    // ---- clients that open, read, recover and delete ----

    private void client(List<String> words) {
        String name = words.get(1);
        LedgerClient client = clientOf(name);
        long ledgerId = writer().ledgerId();
        switch (words.get(0)) {
            case "open" ->
                report(
                        name,
                        client.open(ledgerId, OpenOptions.DEFAULT).thenApply(reader -> "opens: " + keep(name, reader)));
            case "recover" ->
                report(name, client.recover(ledgerId, OpenOptions.DEFAULT).thenApply(reader -> {
                    keep(name, reader);
                    return "recovers: end " + reader.lastAddConfirmed() + ", length "
                            + reader.metadata().lengthBytes();
                }));
            case "delete" -> report(name, client.delete(ledgerId).thenApply(nothing -> "deletes"));
            case "refresh" ->
                report(name, reader(name).refresh().thenApply(confirmed -> "refreshes: " + describe(reader(name))));
            default -> read(words);
        }
    }

    /** {@code read|peek|tail NAME FIRST COUNT [BYTES]}. */
    private void read(List<String> words) {
        LedgerReader reader = reader(words.get(1));
        long first = Long.parseLong(words.get(2));
        int count = Integer.parseInt(words.get(3));
        int bytes = words.size() > 4 ? Integer.parseInt(words.get(4)) : 1_000_000;
        CompletableFuture<LedgerEntries> read = switch (words.get(0)) {
            case "read" -> reader.read(first, count, bytes);
            case "peek" -> reader.readUnconfirmed(first, count, bytes);
            default -> reader.readTail(first, count, bytes, 2_000 * MILLISECOND);
        };
        report(words.get(1), read.thenApply(entries -> "reads " + idsOf(entries) + ", " + describe(reader)));
    }

    private static String idsOf(LedgerEntries entries) {
        try (entries) {
            return entries.list().isEmpty()
                    ? "nothing"
                    : entries.list().stream()
                            .map(entry -> entry.entryId()
                                    + (entry.payload()
                                                    .toString(StandardCharsets.UTF_8)
                                                    .equals(PAYLOAD)
                                            ? ""
                                            : " with other bytes"))
                            .collect(Collectors.joining(","));
        }
    }

    private String keep(String name, LedgerReader reader) {
        readers.put(name, reader);
        return describe(reader);
    }

    private static String describe(LedgerReader reader) {
        return (reader.isClosed() ? "closed at " : "confirmed ") + reader.lastAddConfirmed();
    }

    private LedgerReader reader(String name) {
        return Objects.requireNonNull(readers.get(name), name);
    }

    private LedgerClient clientOf(String name) {
        return clients.computeIfAbsent(name, this::startClient);
    }

    private LedgerClient startClient(String name) {
        FaultyLedgerStore ledgers = new FaultyLedgerStore(world, stores.ledgers(), MILLISECOND / 10);
        ledgerStores.put(name, ledgers);
        return DaybookLedgerClient.open(
                SimulatedCluster.settings(Duration.ZERO),
                world.machine(name).start(),
                new StoresWithLedgers(stores, ledgers, stores.bookies()),
                CLUSTER);
    }

    private FaultyLedgerStore ledgerStore(String client) {
        clientOf(client);
        return Objects.requireNonNull(ledgerStores.get(client));
    }

    private void crash(String name) {
        if (bookies.has(name)) {
            bookies.crash(name);
        } else {
            world.machine(name).crash();
            clients.remove(name);
        }
    }

    // ---- metadata ----

    /** What repair does with a ledger: {@code next} gets the copies of {@code old} and takes its place. */
    private void repair(String old, String next) {
        bookies.bookie(next).copyFrom(bookies.bookie(old));
        Versioned<LedgerMetadata> present = present();
        List<Fragment> repaired = new ArrayList<>();
        for (Fragment fragment : present.value().fragments()) {
            repaired.add(new Fragment(fragment.firstEntryId(), bookies.exchange(fragment.ensemble(), old, next)));
        }
        LedgerMetadata now = present.value();
        stores.ledgers()
                .replace(
                        now.withClosed(now.lastEntryId(), now.lengthBytes(), repaired, new WriteToken(8, 8)),
                        present.version())
                .join();
    }

    private Versioned<LedgerMetadata> present() {
        return stores.ledgers().read(writer().ledgerId()).join();
    }

    private void tellMetadata() {
        if (created == null) {
            return;
        }
        String text;
        try {
            LedgerMetadata now = present().value();
            boolean isClosed = now.state() == LedgerState.CLOSED;
            text = now.state() + bookies.describe(now.fragments()) + (isClosed ? " end " + now.lastEntryId() : "");
        } catch (CompletionException failure) {
            text = failure.getCause() instanceof MetadataException gone ? "is " + gone.code() : failure.toString();
        }
        if (!text.equals(lastMetadata)) {
            tell("metadata", text);
            lastMetadata = text;
        }
    }

    // ---- telling ----

    private void report(String actor, CompletableFuture<String> outcome) {
        outcome.whenComplete((text, failure) -> {
            boolean known = failure != null && Failures.rootOf(failure) instanceof LedgerException;
            tell(actor, failure == null ? text : known ? "is told " + code(failure) : failure.toString());
        });
    }

    private static String code(Throwable failure) {
        return Failures.rootOf(failure) instanceof LedgerException known ? known.code() : "";
    }

    private void tellUnlessMuted(String actor, String line) {
        if (!isMuted) {
            tell(actor, line);
        }
    }

    private void tell(String actor, String line) {
        told.computeIfAbsent(actor, each -> new ArrayList<>()).add(line);
    }

    private String render() {
        StringBuilder out = new StringBuilder();
        told.forEach((actor, lines) -> lines.forEach(
                line -> out.append("  ").append(actor).append(": ").append(line).append('\n')));
        told.clear();
        return out.toString();
    }
}
