// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerClient;
import io.daybook.ledger.api.LedgerReader;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.handle.EntryForm;
import io.daybook.ledger.quorum.WriteSets;
import io.daybook.metadata.BookieRegistry.Tokens;
import io.daybook.metadata.memory.MemoryMetadata;
import io.daybook.metadata.memory.MemoryMetadataStores;
import io.daybook.metadata.model.BookieCookie;
import io.daybook.metadata.model.BookieRegistration;
import io.daybook.metadata.model.ClusterId;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.Fragment;
import io.daybook.metadata.model.LedgerMetadata;
import io.daybook.metadata.model.LedgerState;
import io.daybook.metadata.model.Quorums;
import io.daybook.metadata.model.WriteToken;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.Limits;
import io.daybook.runtime.Endpoint;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** An open ledger whose writer is gone, on scripted bookies that are given what they hold. */
final class StoredLedger {
    private static final ClusterId CLUSTER = new ClusterId(7, 7);
    private static final long LEDGER_ID = 5;
    private static final long PAYLOAD_BYTES = 4;
    private static final int PORT = 3181;

    private final SimulatedWorld world = new SimulatedWorld(1);
    private final MemoryMetadataStores stores = new MemoryMetadataStores(new MemoryMetadata());
    private final FaultyLedgerStore ledgers = new FaultyLedgerStore(world, stores.ledgers(), 0);
    private final EntryForm form = new EntryForm(LEDGER_ID, DigestType.CRC32C, DigestKey.NONE);
    private final Map<BookieId, ScriptedBookie> bookies = new TreeMap<>();
    private final WriteSets writeSets;

    /** The last fragment begins at {@code origin}; when that is not 0 there is one before it on the same bookies. */
    StoredLedger(Quorums quorums, long origin) {
        this.writeSets = new WriteSets(quorums);
        List<BookieId> ensemble = new ArrayList<>();
        for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
            ensemble.add(member(slot));
            bookies.put(member(slot), new ScriptedBookie(member(slot), line -> {}));
        }
        List<Fragment> fragments = new ArrayList<>();
        if (origin > 0) {
            fragments.add(new Fragment(0, ensemble));
            for (int slot = 0; slot < quorums.ensembleSize(); slot++) {
                if (writeSets.holds(slot, origin - 1)) {
                    store(slot, origin - 1, Limits.NO_ENTRY_ID);
                }
            }
        }
        fragments.add(new Fragment(origin, ensemble));
        stores.ledgers()
                .create(new LedgerMetadata(
                        LEDGER_ID,
                        quorums,
                        DigestType.CRC32C,
                        LedgerState.OPEN,
                        Limits.NO_ENTRY_ID,
                        0,
                        fragments,
                        Map.of(),
                        0,
                        new WriteToken(1, 1)))
                .join();
    }

    /** It ends with that entry, as metadata says from now on. */
    void close(long lastEntryId) {
        close(lastEntryId, metadata().fragments());
    }

    /** As {@link #close(long)}, and every so many entries a fragment begins, all on the same bookies. */
    void close(long lastEntryId, int fragmentEntries) {
        List<Fragment> fragments = new ArrayList<>();
        for (long first = 0; first <= lastEntryId; first += fragmentEntries) {
            fragments.add(new Fragment(first, metadata().lastFragment().ensemble()));
        }
        close(lastEntryId, fragments);
    }

    private void close(long lastEntryId, List<Fragment> fragments) {
        LedgerMetadata closed =
                metadata().withClosed(lastEntryId, lengthAt(lastEntryId), fragments, new WriteToken(1, 2));
        stores.ledgers()
                .replace(closed, stores.ledgers().read(LEDGER_ID).join().version())
                .join();
    }

    private static BookieId member(int slot) {
        return new BookieId(0, slot);
    }

    /** Payload bytes up to an entry, had all before it one payload each. */
    long lengthAt(long entryId) {
        return PAYLOAD_BYTES * (entryId + 1);
    }

    /** A bookie has got an entry. */
    void store(int slot, long entryId, long lastAddConfirmed) {
        ByteBuf entry = Unpooled.buffer();
        form.writeEntry(entry, entryId, lastAddConfirmed, lengthAt(entryId), Unpooled.copyInt((int) entryId));
        ScriptedBookie bookie = bookies.get(member(slot));
        if (bookie != null) {
            bookie.put(entryId, ByteBufUtil.getBytes(entry));
        }
    }

    /** A member can be reached from now on. */
    void startMember(int slot) {
        start(member(slot));
    }

    /** All links to a member are lost, and it can be reached anew at once; it keeps what it holds. */
    void restartMember(int slot) {
        world.machine(machineOf(member(slot))).crash();
        listen(member(slot));
    }

    /** As many empty bookies take copies. */
    void startSpares(int count) {
        for (int i = 0; i < count; i++) {
            BookieId id = new BookieId(1, i);
            bookies.put(id, new ScriptedBookie(id, line -> {}));
            start(id);
        }
    }

    private static String machineOf(BookieId id) {
        return "bookie-" + id.high() + "-" + id.low();
    }

    private void listen(BookieId id) {
        ScriptedBookie bookie = bookies.get(id);
        if (bookie != null) {
            bookie.start(world.machine(machineOf(id)).start(), new Endpoint(machineOf(id), PORT));
        }
    }

    private void start(BookieId id) {
        String machine = machineOf(id);
        listen(id);
        stores.bookies().addCookie(new BookieCookie(CLUSTER, id, machine, List.of(), 0));
        stores.bookies()
                .register(
                        new BookieRegistration(id, machine, machine, PORT, false, "", 0),
                        Tokens.first(new WriteToken(id.low(), 1)))
                .join();
    }

    /** Recovers by a client of that name; the future is complete. */
    CompletableFuture<LedgerReader> recover(String client) {
        CompletableFuture<LedgerReader> recovery = client(client).recover(LEDGER_ID, OpenOptions.DEFAULT);
        world.runUntil(recovery::isDone, 60 * SimulatedCluster.SECOND);
        return recovery;
    }

    /** A client of that name. */
    LedgerClient client(String name) {
        StoresWithLedgers seen = new StoresWithLedgers(stores, ledgers, stores.bookies());
        return DaybookLedgerClient.open(
                SimulatedCluster.settings(), world.machine(name).start(), seen, CLUSTER);
    }

    /** How often clients have read metadata. */
    long readings() {
        return ledgers.readings();
    }

    SimulatedWorld world() {
        return world;
    }

    ScriptedBookie bookie(int slot) {
        return Objects.requireNonNull(bookies.get(member(slot)));
    }

    LedgerMetadata metadata() {
        return stores.ledgers().read(LEDGER_ID).join().value();
    }

    /** How many of the bookies that the metadata names for an entry hold it. */
    int copies(LedgerMetadata metadata, long entryId) {
        List<BookieId> ensemble = metadata.fragmentOf(entryId).ensemble();
        int copies = 0;
        for (int slot = 0; slot < ensemble.size(); slot++) {
            ScriptedBookie bookie = bookies.get(ensemble.get(slot));
            if (bookie != null && writeSets.holds(slot, entryId) && bookie.has(entryId)) {
                copies++;
            }
        }
        return copies;
    }
}
