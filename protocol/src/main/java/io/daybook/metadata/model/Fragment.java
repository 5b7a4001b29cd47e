// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.model;

import io.daybook.protocol.BookieId;
import java.util.List;

/**
 * A run of entries kept by one ensemble: from {@code firstEntryId} up to the next fragment. Entry {@code e} belongs to the members
 * {@code (e + i) mod E} for {@code i} from 0 to the write quorum minus 1.
 */
public record Fragment(long firstEntryId, List<BookieId> ensemble) {
    /** Copies the ensemble. */
    public Fragment {
        ensemble = List.copyOf(ensemble);
    }
}
