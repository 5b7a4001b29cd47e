// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.workload;

import io.daybook.ledger.LedgerClientConfig;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerException;
import io.daybook.ledger.api.OpenOptions;
import io.daybook.ledger.placement.PlacementRules;
import io.daybook.metadata.Page;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.LedgerState;
import io.daybook.protocol.BookieId;
import io.daybook.protocol.EntryDigest;
import io.daybook.runtime.Failures;
import io.daybook.runtime.settings.SettingsLoader;
import io.daybook.runtime.simulated.SimulatedWorld;
import io.daybook.simulation.model.monitor.ModelMonitor;
import io.daybook.simulation.plan.FaultKind;
import io.daybook.simulation.plan.Operation;
import io.daybook.simulation.plan.Plan;
import io.daybook.simulation.plan.Plan.Knobs;
import io.daybook.stream.core.segment.SegmentLedger;
import io.daybook.testkit.check.Call.Result;
import io.daybook.testkit.check.History;
import io.daybook.testkit.check.Violation;
import io.daybook.testkit.simulated.SimulatedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What all parts of a run share: the cluster, the history, what is known of each ledger, and whether faults still happen. */
public final class Stage {
    /** Of every ledger with an HMAC. */
    static final DigestKey DIGEST_KEY =
            DigestKey.of(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});

    private static final int PAGE = 1000;
    private static final int LAG_MILLIS = 500;
    private static final int LINK_KIBIBYTES = 64;

    private final SimulatedCluster cluster;
    private final Plan plan;
    private final LedgerClientConfig clientConfig;
    private final History history = new History();
    private final Register register = new Register();
    private final List<Violation> violations = new ArrayList<>();
    private final ModelMonitor monitor;
    private final List<String> bookies;
    private final Set<Long> everInRecovery = new TreeSet<>();
    private boolean isHealed;

    /** A stage with a cluster that runs. */
    public Stage(SimulatedCluster cluster, Plan plan) {
        this.cluster = cluster;
        this.plan = plan;
        Knobs knobs = plan.knobs();
        Map<String, String> settings = new TreeMap<>();
        settings.put("ledger.connect-timeout", knobs.readMillis() + "ms");
        settings.put("ledger.add-timeout", knobs.addMillis() + "ms");
        settings.put("ledger.read-timeout", knobs.readMillis() + "ms");
        settings.put("ledger.silence-timeout", knobs.silenceMillis() + "ms");
        if (plan.has(FaultKind.NARROW_LINKS)) {
            // So short that a writer gives up who is slow for as long as faults last.
            settings.put("ledger.lag-timeout", LAG_MILLIS + "ms");
            settings.put("ledger.bookie-bytes-max", LINK_KIBIBYTES + "KiB");
        }
        settings.put("ledger.publish-delay", knobs.publishMicros() + "us");
        PlacementRules rules = plan.spread().rules();
        settings.put("ledger.placement-racks-min", Integer.toString(rules.racksMin()));
        settings.put("ledger.placement-regions-min", Integer.toString(rules.regionsMin()));
        settings.put("ledger.placement-enforced", Boolean.toString(rules.isEnforced()));
        putBound(settings, "ledger.writer-bytes-max", knobs.writerKibibytes());
        putBound(settings, "ledger.client-bytes-max", knobs.clientKibibytes());
        this.bookies = IntStream.range(0, cluster.bookies())
                .mapToObj(SimulatedCluster::machineOf)
                .toList();
        this.clientConfig = SettingsLoader.with(LedgerClientConfig.class, settings);
        this.monitor = new ModelMonitor(
                this::bookieOn,
                this::mayBeForgotten,
                register::isAwaitingAllCopies,
                ledgerId -> cluster.ledgers().readLatest(ledgerId).join().value());
        cluster.world().network().watch(monitor);
        cluster.transitions().onChange(monitor::replaced);
        cluster.transitions().onChange((before, after) -> {
            if (after.state() == LedgerState.IN_RECOVERY) {
                everInRecovery.add(after.ledgerId());
            }
        });
    }

    private static void putBound(Map<String, String> settings, String setting, int kibibytes) {
        if (kibibytes > 0) {
            settings.put(setting, kibibytes + "KiB");
        }
    }

    /** Whether every acknowledged entry of a ledger must have all its copies: its writer waited for them, and nobody recovered it. */
    public boolean needsAllCopies(long ledgerId) {
        return register.isAwaitingAllCopies(ledgerId) && !everInRecovery.contains(ledgerId);
    }

    /** With the key that a ledger needs. */
    public OpenOptions openOptions(long ledgerId) {
        return hasHmac(ledgerId) ? OpenOptions.DEFAULT.withKey(DIGEST_KEY) : OpenOptions.DEFAULT;
    }

    /** How the entries of a ledger are checked. */
    public EntryDigest digestOf(long ledgerId) {
        return hasHmac(ledgerId) ? EntryDigest.hmacSha256(DIGEST_KEY.copyOfBytes()) : EntryDigest.crc32c();
    }

    private boolean hasHmac(long ledgerId) {
        return cluster.ledgers()
                .readLatest(ledgerId)
                .handle((found, gone) -> gone == null && found.value().digest() == DigestType.HMAC_SHA256)
                .join();
    }

    /** Whether writers must ask for room. */
    boolean isMemoryScarce() {
        return plan.knobs().isMemoryScarce();
    }

    private Optional<BookieId> bookieOn(String machine) {
        int number = bookies.indexOf(machine);
        return number < 0 ? Optional.empty() : Optional.of(cluster.idOf(number));
    }

    /** Whether bookies may have given a ledger up: somebody deletes it, or it was a segment of a stream and its metadata is gone. */
    public boolean mayBeForgotten(long ledgerId) {
        return register.isDeletionBegun(ledgerId) || cluster.transitions().isDeleted(ledgerId);
    }

    /** Whether a ledger is a segment of a stream: what it holds is judged record by record. */
    public boolean isOfStream(long ledgerId) {
        return segmentLedger(ledgerId).isPresent();
    }

    /** For which stream a ledger was made; empty for one that was made for none, or is gone. */
    public Optional<SegmentLedger> segmentLedger(long ledgerId) {
        return cluster.ledgers()
                .readLatest(ledgerId)
                .thenApply(found -> SegmentLedger.of(ledgerId, found.value().custom()))
                .exceptionally(gone -> Optional.empty())
                .join();
    }

    /** Every ledger that is there. */
    public List<Long> ledgerIds() {
        List<Long> ids = new ArrayList<>();
        long after = -1;
        boolean isLast = false;
        while (!isLast) {
            Page<Long> page = cluster.ledgers().list(after, PAGE).join();
            ids.addAll(page.items());
            isLast = page.isLast();
            after = ids.isEmpty() ? after : ids.get(ids.size() - 1);
        }
        return ids;
    }

    /** The world. */
    public SimulatedWorld world() {
        return cluster.world();
    }

    /** The bookies and the metadata. */
    public SimulatedCluster cluster() {
        return cluster;
    }

    /** Every call so far. */
    public History history() {
        return history;
    }

    /** What is known of each ledger. */
    public Register register() {
        return register;
    }

    /** What compares every step with the protocol model; whoever appends tells it what was acknowledged. */
    public ModelMonitor monitor() {
        return monitor;
    }

    /** What the parts of the run found wrong by themselves. */
    public List<Violation> violations() {
        return violations;
    }

    /** Whether clients do that in this run. */
    boolean does(Operation operation) {
        return plan.habits().operations().contains(operation);
    }

    /** All faults have ended: whoever rested between two pieces of work finishes what is left. */
    public void heal() {
        isHealed = true;
    }

    /** Whether all faults have ended. */
    public boolean isHealed() {
        return isHealed;
    }

    /** A machine for a client. */
    public ClientNode node(String machine) {
        return new ClientNode(this, machine);
    }

    LedgerClientConfig clientConfig() {
        return clientConfig;
    }

    /** What a failure says of the outcome. Whatever is not a failure of the ledger layer is a violation. */
    public Result resultOf(long ledgerId, @Nullable Throwable failure) {
        Throwable root = Failures.rootOf(failure);
        if (root == null) {
            return Result.OK;
        }
        if (!(root instanceof LedgerException known) || known instanceof LedgerException.Bug) {
            violations.add(new Violation("unexpected-failure", ledgerId, -1, String.valueOf(root)));
            return Result.UNKNOWN;
        }
        return known.outcome() == LedgerException.Outcome.FAILED ? Result.FAILED : Result.UNKNOWN;
    }

    /** Whether a call failed because there is no such ledger any more; it is a violation when nobody deletes it. */
    boolean isGone(long ledgerId, @Nullable Throwable failure) {
        if (!(Failures.rootOf(failure) instanceof LedgerException.LedgerGone)) {
            return false;
        }
        if (!register.isDeletionBegun(ledgerId)) {
            violations.add(
                    new Violation("lost-ledger", ledgerId, -1, "somebody was told it does not exist: " + failure));
        }
        return true;
    }
}
