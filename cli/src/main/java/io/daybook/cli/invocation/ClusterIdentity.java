// SPDX-License-Identifier: Apache-2.0
package io.daybook.cli.invocation;

import io.daybook.cli.terminal.CommandFailure;
import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.model.ClusterInfo;
import java.util.concurrent.CompletionException;

/** What cluster a namespace holds. */
public final class ClusterIdentity {
    private ClusterIdentity() {}

    /** Reads it; says what to do when none was initialised there. */
    public static ClusterInfo read(MetadataStores stores, String namespace) {
        try {
            return stores.cluster().read().join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof MetadataException refused
                    && refused.code() == MetadataException.Code.NOT_FOUND) {
                throw new CommandFailure(
                        "there is no cluster at " + namespace + ": make one with 'daybook cluster init'", refused);
            }
            throw failure;
        }
    }
}
