// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.bookies.MemoryBounds;
import io.daybook.ledger.handle.Timeouts;
import io.daybook.ledger.placement.PlacementRules;
import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;
import io.daybook.runtime.settings.SettingsLoader;
import java.time.Duration;

/** The settings of a ledger client. */
@SettingsGroup("ledger")
public record LedgerClientConfig(
        @Setting(
                doc =
                        "Event loops of the client, one thread each. More than one only when one core is not enough for all handles together.",
                defaultValue = "1",
                min = "1",
                max = "64")
        int loops,

        @Setting(
                doc =
                        "Bound on connecting to a bookie, and again on the handshake. Raise it on links with long delays.",
                defaultValue = "2s",
                min = "10ms",
                max = "1m")
        Duration connectTimeout,

        @Setting(
                doc =
                        "How long an append may take to reach its ack quorum before its writer fails; also how long recovery and close try. "
                                + "Raise it where bookies are often overloaded for seconds.",
                defaultValue = "10s",
                min = "100ms",
                max = "10m")
        Duration addTimeout,

        @Setting(
                doc =
                        "How long one bookie may take to answer a read, and how long a read waits for its turn there, before the next one is asked.",
                defaultValue = "2s",
                min = "10ms",
                max = "5m")
        Duration readTimeout,

        @Setting(
                doc =
                        "Silence after which a bookie that owes acknowledgements is taken for dead. Raise it where pauses of this length are usual.",
                defaultValue = "500ms",
                min = "50ms",
                max = "1m")
        Duration silenceTimeout,

        @Setting(
                doc =
                        "How long a writer with nothing pending waits for a next entry, which would carry its last add confirmed, "
                                + "before it publishes that. Raise it to spare the journals when nobody reads the tail.",
                defaultValue = "2ms",
                min = "0ms",
                max = "10s")
        Duration publishDelay,

        @Setting(
                doc =
                        "Bytes that one writer may have under way, unacknowledged. Further appends wait. Raise it for links with long delays.",
                defaultValue = "32MiB",
                min = "64KiB",
                max = "2GiB",
                inBytes = true)
        long writerBytesMax,

        @Setting(
                doc =
                        "Bytes that may wait in this process for one bookie to take them. Writers that use the bookie wait then, or go on without it "
                                + "when it alone is slow (lag-timeout). Lower it where memory is scarce and bookies are many.",
                defaultValue = "16MiB",
                min = "64KiB",
                max = "1GiB",
                inBytes = true)
        long bookieBytesMax,

        @Setting(
                doc =
                        "Bytes that all writers of the client together may have under way, unacknowledged. Raise it together with the memory of the process "
                                + "when many ledgers are written at full speed.",
                defaultValue = "64MiB",
                min = "64KiB",
                max = "64GiB",
                inBytes = true)
        long clientBytesMax,

        @Setting(
                doc =
                        "How long a bookie may hold up a writer by being slower than the others before the writer goes on without it. Raise it where all "
                                + "bookies are slow by nature.",
                defaultValue = "2s",
                min = "50ms",
                max = "10m")
        Duration lagTimeout,

        @Setting(
                doc =
                        "Racks over which the copies of each entry are spread, as far as the write quorum allows. A rack is the label of a bookie (bookie.rack).",
                defaultValue = "2",
                min = "1",
                max = "32")
        int placementRacksMin,

        @Setting(
                doc =
                        "Regions over which the copies of each entry are spread. The region of a bookie is what stands before a slash in its label. Raise it "
                                + "when a whole data centre may be lost.",
                defaultValue = "1",
                min = "1",
                max = "32")
        int placementRegionsMin,

        @Setting(
                doc =
                        "Whether a ledger is rather not made, and a failed bookie rather not replaced, than with copies in fewer racks or regions than wanted.",
                defaultValue = "false")
        boolean placementEnforced) {
    /** All defaults. */
    public static LedgerClientConfig defaults() {
        return SettingsLoader.defaults(LedgerClientConfig.class);
    }

    Timeouts timeouts() {
        return new Timeouts(
                addTimeout.toNanos(),
                readTimeout.toNanos(),
                silenceTimeout.toNanos(),
                lagTimeout.toNanos(),
                publishDelay.toNanos());
    }

    PlacementRules placementRules() {
        return new PlacementRules(placementRacksMin, placementRegionsMin, placementEnforced);
    }

    /** The bounds for one loop: its share of what the client may hold. */
    MemoryBounds bounds() {
        return new MemoryBounds(writerBytesMax, bookieBytesMax / loops, Math.max(1, clientBytesMax / loops));
    }
}
