// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.maintenance;

import io.daybook.runtime.settings.Setting;
import io.daybook.runtime.settings.SettingsGroup;
import java.time.Duration;

/** The settings of a maintainer of streams. */
@SettingsGroup("maintenance")
public record MaintenanceConfig(
        @Setting(
                doc =
                        "Whether this process may be elected to keep streams within their retention and to finish deletions. Turn it off where bookies "
                                + "have no processor time to spare, as long as it is on somewhere.",
                defaultValue = "true")
        boolean enabled,

        @Setting(
                doc =
                        "Pause between two passes over all streams; retention is late by about as much. Raise it with hundreds of thousands of streams.",
                defaultValue = "5m",
                min = "1s",
                max = "1d")
        Duration interval,

        @Setting(
                doc =
                        "Pause between two searches for ledgers that belong to no stream, left by programs that crashed; a search reads the metadata of "
                                + "every ledger.",
                defaultValue = "12h",
                min = "1s",
                max = "30d")
        Duration orphanInterval) {}
