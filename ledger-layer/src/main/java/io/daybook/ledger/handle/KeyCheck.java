// SPDX-License-Identifier: Apache-2.0
package io.daybook.ledger.handle;

import io.daybook.ledger.api.CreateOptions;
import io.daybook.ledger.api.DigestKey;
import io.daybook.ledger.api.LedgerException;
import io.daybook.metadata.model.DigestType;
import io.daybook.metadata.model.LedgerMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the metadata of a ledger with an HMAC keep so that whoever comes with another key is refused before anything is read, fenced or changed (P-06). It
 * proves the key as any entry does, and tells no more of it.
 */
public final class KeyCheck {
    private static final String NAME = "daybook.key-check";

    private KeyCheck() {}

    /** The text pairs of a new ledger: those of its creator, and the check of the key if it needs one. */
    public static Map<String, String> pairs(long ledgerId, CreateOptions options) {
        if (options.digest() != DigestType.HMAC_SHA256) {
            return options.custom();
        }
        Map<String, String> pairs = new TreeMap<>(options.custom());
        pairs.put(NAME, new EntryForm(ledgerId, options.digest(), options.digestKey()).digestOfNothing());
        return pairs;
    }

    /** Why nothing may be done with the ledger by whoever has this key; empty when the key is right, or when the ledger needs none or has no check of it. */
    public static Optional<LedgerException> refusal(LedgerMetadata ledger, DigestKey key) {
        if (EntryForm.lacksKey(ledger.digest(), key)) {
            return refusal(ledger, "none was given");
        }
        String check = ledger.custom().get(NAME);
        if (ledger.digest() == DigestType.HMAC_SHA256
                && check != null
                && !check.equals(new EntryForm(ledger.ledgerId(), ledger.digest(), key).digestOfNothing())) {
            return refusal(ledger, "another one was given");
        }
        return Optional.empty();
    }

    private static Optional<LedgerException> refusal(LedgerMetadata ledger, String what) {
        return Optional.of(new LedgerException.WrongKey("ledger " + ledger.ledgerId()
                + " can be used only with the key with which it was made, and " + what + "; nothing was changed"));
    }
}
