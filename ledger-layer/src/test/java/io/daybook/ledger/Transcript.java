// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.LedgerWriter;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.metadata.BookieRegistry.Registration;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.StatusCode;
import io.daybook.runtime.Endpoint;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays a readable dialogue: each command is followed by what the actors then got and did, one block per actor in the order of their names. The bookies
 * of the first ensemble are named b0, b1, … in its order.
 */
final class Transcript {
    static {
        // A process that crashes takes its memory with it, which the detector would call leaks. LedgerLeakTest looks
        // for real ones.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    private static final ClusterId CLUSTER = new ClusterId(7, 7);
    private static final long MILLISECOND = 1_000_000L;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final MemoryMetadata metadata = new MemoryMetadata();
    private final MemoryMetadataStores stores = new MemoryMetadataStores(metadata);
    private final Map<String, List<String>> told = new TreeMap<>();
    private final Map<BookieId, String> names = new TreeMap<>();
    private final Map<String, ScriptedBookie> bookies = new TreeMap<>();
    private final Map<String, Registration> registrations = new TreeMap<>();
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
            if (line.startsWith("#") || line.isBlank()) {
                if (line.startsWith("#")) {
                    out.append(line).append('\n');
                }
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
            case "create" -> create(words.get(1));
            case "spare" -> addBookie(words.get(1), spareId(words.get(1)));
            case "append" -> append(Integer.parseInt(words.get(1)));
            case "close" -> report("writer", writer().close().thenApply(end -> "closed at " + end));
            case "recover" -> recover(words.get(1));
            case "crash" -> crash(words.get(1));
            case "metadata" ->
                ledgerStore(words.get(1))
                        .mode(FaultyLedgerStore.Mode.valueOf(
                                words.get(2).toUpperCase(Locale.ROOT).replace('-', '_')));
            case "mute" -> isMuted = true;
            case "unmute" -> isMuted = false;
            case "run" -> world.runFor(Long.parseLong(words.get(1)) * MILLISECOND);
            default -> bookie(words);
        }
        world.runFor(10 * MILLISECOND);
        tellMetadata();
        return render();
    }

    private void bookie(List<String> words) {
        ScriptedBookie bookie = Objects.requireNonNull(bookies.get(words.get(1)));
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

    private void create(String quorums) {
        List<Integer> numbers = quorums.chars()
                .filter(Character::isDigit)
                .mapToObj(digit -> digit - '0')
                .toList();
        int size = numbers.get(0);
        for (int i = 0; i < size; i++) {
            addBookie("new" + i, new BookieId(0, i));
        }
        Quorums wanted = new Quorums(size, numbers.get(1), numbers.get(2));
        CompletableFuture<LedgerWriter> creation = client("writer").create(CreateOptions.DEFAULT.withQuorums(wanted));
        created = world.await(creation, 10_000 * MILLISECOND);
        writer().failure().thenAccept(failure -> tell("writer", "fails: " + failure.code()));
        List<BookieId> ensemble = present().lastFragment().ensemble();
        for (int slot = 0; slot < size; slot++) {
            BookieId id = ensemble.get(slot);
            String old = Objects.requireNonNull(names.put(id, "b" + slot));
            bookies.put("b" + slot, Objects.requireNonNull(bookies.remove(old)));
            registrations.put("b" + slot, Objects.requireNonNull(registrations.remove(old)));
        }
    }

    private LedgerWriter writer() {
        return Objects.requireNonNull(created);
    }

    private String nameOf(BookieId id) {
        return Objects.requireNonNull(names.get(id));
    }

    private FaultyLedgerStore ledgerStore(String client) {
        return Objects.requireNonNull(ledgerStores.get(client));
    }

    private static BookieId spareId(String name) {
        return new BookieId(1, Long.parseLong(name.substring(1)));
    }

    private void addBookie(String name, BookieId id) {
        names.put(id, name);
        ScriptedBookie bookie = new ScriptedBookie(id, line -> tellUnlessMuted(nameOf(id), line));
        bookies.put(name, bookie);
        bookie.start(world.machine(machineOf(id)).start(), new Endpoint(machineOf(id), 3181));
        stores.bookies().addCookie(new BookieCookie(CLUSTER, id, name, List.of(), 0));
        registrations.put(
                name,
                stores.bookies()
                        .register(new BookieRegistration(id, name, machineOf(id), 3181, false, "", 0))
                        .join());
    }

    private static String machineOf(BookieId id) {
        return "bookie-" + id.high() + "-" + id.low();
    }

    private LedgerClient client(String name) {
        FaultyLedgerStore ledgers = new FaultyLedgerStore(world, stores.ledgers(), MILLISECOND / 10);
        ledgerStores.put(name, ledgers);
        return DaybookLedgerClient.open(
                SimulatedCluster.settings(Duration.ZERO),
                world.machine(name).start(),
                new StoresWithLedgers(stores, ledgers, stores.bookies()),
                CLUSTER);
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            ByteBuf payload = Unpooled.copiedBuffer("abc", StandardCharsets.UTF_8);
            writer().append(payload, new LedgerWriter.AppendListener() {
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

    private void recover(String name) {
        CompletableFuture<LedgerReader> recovery = client(name).recover(writer().ledgerId(), OpenOptions.DEFAULT);
        report(
                name,
                recovery.thenApply(reader -> "recovers: end " + reader.lastAddConfirmed() + ", length "
                        + reader.metadata().lengthBytes()));
    }

    private void report(String actor, CompletableFuture<String> outcome) {
        outcome.whenComplete((text, failure) -> {
            boolean known = Failures.rootOf(failure) instanceof LedgerException;
            tell(actor, failure == null ? text : known ? "is told " + code(failure) : failure.toString());
        });
    }

    private static String code(Throwable failure) {
        return Failures.rootOf(failure) instanceof LedgerException known ? known.code() : "";
    }

    private void crash(String name) {
        Registration registration = registrations.get(name);
        if (registration != null) {
            registration.close();
            BookieId id = names.entrySet().stream()
                    .filter(each -> each.getValue().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            world.machine(machineOf(id)).crash();
        } else {
            world.machine(name).crash();
        }
    }

    private LedgerMetadata present() {
        return stores.ledgers().read(writer().ledgerId()).join().value();
    }

    private void tellMetadata() {
        LedgerMetadata now = present();
        String text = now.state()
                + fragments(now.fragments())
                + (now.state() == LedgerState.CLOSED ? " end " + now.lastEntryId() : "");
        if (!text.equals(lastMetadata)) {
            tell("metadata", text);
            lastMetadata = text;
        }
    }

    private String fragments(List<Fragment> fragments) {
        return fragments.stream()
                .map(fragment -> " " + fragment.firstEntryId() + ":"
                        + fragment.ensemble().stream().map(this::nameOf).collect(Collectors.joining(",")))
                .collect(Collectors.joining());
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
        Consumer<String> append = line -> out.append("  ").append(line).append('\n');
        told.forEach((actor, lines) -> lines.forEach(line -> append.accept(actor + ": " + line)));
        told.clear();
        return out.toString();
    }
}
