// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger;

import io.daybook.ledger.handle.Timeouts;
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
                doc = "How long one bookie may take to answer a read before the next one is asked.",
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
        Duration publishDelay) {
    /** All defaults. */
    public static LedgerClientConfig defaults() {
        return SettingsLoader.defaults(LedgerClientConfig.class);
    }

    Timeouts timeouts() {
        return new Timeouts(
                addTimeout.toNanos(), readTimeout.toNanos(), silenceTimeout.toNanos(), publishDelay.toNanos());
    }
}
