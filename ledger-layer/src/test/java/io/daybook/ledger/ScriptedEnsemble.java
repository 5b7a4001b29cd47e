// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.metadata.BookieRegistry.Registration;
import io.daybook.metadata.BookieRegistry.Tokens;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.simulated.SimulatedWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** The scripted bookies of a transcript, by name: starts, crashes and exchanges them and keeps their registrations. */
final class ScriptedEnsemble {
    private static final int PORT = 3181;

    private final SimulatedWorld world;
    private final MemoryMetadataStores stores;
    private final ClusterId cluster;
    private final BiConsumer<String, String> told;
    private final Map<BookieId, String> names = new TreeMap<>();
    private final Map<String, ScriptedBookie> bookies = new TreeMap<>();
    private final Map<String, Registration> registrations = new TreeMap<>();

    /** {@code told} gets the name of a bookie and what it says. */
    ScriptedEnsemble(
            SimulatedWorld world, MemoryMetadataStores stores, ClusterId cluster, BiConsumer<String, String> told) {
        this.world = world;
        this.stores = stores;
        this.cluster = cluster;
        this.told = told;
    }

    /** Starts bookies without names that mean anything, of which a ledger may choose. */
    void startFirst(int count) {
        for (int i = 0; i < count; i++) {
            add("new" + i, new BookieId(0, i));
        }
    }

    /** Starts a spare, named b and a number. */
    void startSpare(String name) {
        add(name, new BookieId(1, Long.parseLong(name.substring(1))));
    }

    /** Names the members of the first ensemble b0, b1, … in its order. */
    void nameInOrder(List<BookieId> ensemble) {
        for (int slot = 0; slot < ensemble.size(); slot++) {
            String old = Objects.requireNonNull(names.put(ensemble.get(slot), "b" + slot));
            bookies.put("b" + slot, Objects.requireNonNull(bookies.remove(old)));
            registrations.put("b" + slot, Objects.requireNonNull(registrations.remove(old)));
        }
    }

    ScriptedBookie bookie(String name) {
        return Objects.requireNonNull(bookies.get(name), name);
    }

    boolean has(String name) {
        return bookies.containsKey(name);
    }

    BookieId id(String name) {
        return bookie(name).id();
    }

    /** Such as {@code 0:b0,b1,b2 5:b3,b1,b2}, each with a blank before it. */
    String describe(List<Fragment> fragments) {
        return fragments.stream()
                .map(fragment -> " " + fragment.firstEntryId() + ":"
                        + fragment.ensemble().stream().map(this::nameOf).collect(Collectors.joining(",")))
                .collect(Collectors.joining());
    }

    /** The ensemble with one member exchanged. */
    List<BookieId> exchange(List<BookieId> ensemble, String old, String next) {
        List<BookieId> exchanged = new ArrayList<>(ensemble);
        exchanged.replaceAll(id -> id.equals(id(old)) ? id(next) : id);
        return exchanged;
    }

    /** Ends the process. */
    void crash(String name) {
        Objects.requireNonNull(registrations.remove(name)).close();
        world.machine(machineOf(id(name))).crash();
    }

    /** Starts it again, with everything that it had answered. */
    void restart(String name) {
        start(name, bookie(name), machineOf(id(name)));
    }

    /** Starts an empty one with a new identity at the same address. */
    void reformat(String name, String next) {
        BookieId id = new BookieId(2, Long.parseLong(next.substring(1)));
        ScriptedBookie fresh = new ScriptedBookie(id, line -> told.accept(nameOf(id), line));
        names.put(id, next);
        bookies.put(next, fresh);
        start(next, fresh, machineOf(id(name)));
    }

    private void add(String name, BookieId id) {
        names.put(id, name);
        ScriptedBookie bookie = new ScriptedBookie(id, line -> told.accept(nameOf(id), line));
        bookies.put(name, bookie);
        stores.bookies().addCookie(new BookieCookie(cluster, id, name, List.of(), 0));
        start(name, bookie, machineOf(id));
    }

    private void start(String name, ScriptedBookie bookie, String machine) {
        bookie.start(world.machine(machine).start(), new Endpoint(machine, PORT));
        registrations.put(
                name,
                stores.bookies()
                        .register(
                                new BookieRegistration(bookie.id(), name, machine, PORT, false, "", 0),
                                Tokens.first(new WriteToken(bookie.id().low(), registrations.size() + 1)))
                        .join());
    }

    private String nameOf(BookieId id) {
        return Objects.requireNonNull(names.get(id));
    }

    private static String machineOf(BookieId id) {
        return "bookie-" + id.high() + "-" + id.low();
    }
}
