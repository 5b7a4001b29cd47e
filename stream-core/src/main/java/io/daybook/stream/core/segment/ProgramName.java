// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream.core.segment;

import io.daybook.metadata.LockStore.Owner;
import io.daybook.metadata.model.WriteToken;

/**
 * Who this program is, for people.
 *
 * @param host name of the machine; empty when {@code label} tells enough
 * @param processId number of the process there
 * @param label what the program calls itself; may be empty
 */
public record ProgramName(String host, long processId, String label) {
    /** A program that is told by its label alone. */
    public static ProgramName of(String label) {
        return new ProgramName("", 0, label);
    }

    /** The same program under a further label; an empty one changes nothing. */
    public ProgramName labelled(String next) {
        return next.isEmpty() ? this : new ProgramName(host, processId, next);
    }

    /** As the holder of a lock from now on. */
    public Owner owner(long sinceMillis, WriteToken token) {
        return new Owner(host, processId, label, sinceMillis, token);
    }
}
