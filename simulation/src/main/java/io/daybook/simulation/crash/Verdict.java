// SPDX-License-Identifier: Apache-2.0
package io.daybook.simulation.crash;

import io.daybook.protocol.StatusCode;
import io.daybook.simulation.crash.LoneClient.Found;
import java.util.Optional;

/** Whether a bookie that was started again keeps everything that it told before: B1, B2, B3, B6, L10. */
final class Verdict {
    private static final long NO_LEDGER_ID = 999_999;
    private static final int LATE_ENTRY_ID = 10_000;

    private Verdict() {}

    /** What it does not keep, if anything. */
    static Optional<String> on(LoneBookie one, Told told) {
        LoneClient client = one.client();
        for (var ledger : told.entries().entrySet()) {
            int have = 0;
            while (have < ledger.getValue()) {
                Found found = read(one, ledger.getKey(), have, ledger.getValue() - have);
                if (found.sound() == 0) {
                    return Optional.of("entry " + have + " of ledger " + ledger.getKey() + " was acknowledged and is "
                            + found.header().status());
                }
                have += found.sound();
            }
        }
        for (long ledgerId : told.fenced()) {
            int before = client.refusals().size();
            client.add(ledgerId, LATE_ENTRY_ID);
            one.world().runUntil(() -> client.refusals().size() > before, 1_000_000_000L);
            boolean isRefused =
                    client.refusals().size() > before && client.refusals().get(before) == StatusCode.FENCED;
            if (!isRefused) {
                return Optional.of("ledger " + ledgerId + " was fenced and takes an entry");
            }
        }
        for (var ledger : told.confirmed().entrySet()) {
            long now = read(one, ledger.getKey(), 0, 1).header().lastAddConfirmed();
            if (now < ledger.getValue()) {
                return Optional.of("ledger " + ledger.getKey() + " was confirmed up to " + ledger.getValue()
                        + " and now tells " + now);
            }
        }
        StatusCode absent = read(one, NO_LEDGER_ID, 0, 1).header().status();
        return absent.isProofOfAbsence()
                ? Optional.empty()
                : Optional.of("a ledger that never was is " + absent + " instead of absent");
    }

    private static Found read(LoneBookie one, long ledgerId, long firstEntryId, int count) {
        LoneClient client = one.client();
        int before = client.reads().size();
        client.read(ledgerId, firstEntryId, count);
        one.until(() -> client.reads().size() > before, "a read is not answered");
        return client.reads().get(before);
    }
}
