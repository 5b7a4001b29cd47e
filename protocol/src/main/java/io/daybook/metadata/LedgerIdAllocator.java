// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import java.util.concurrent.CompletableFuture;

/** Ids for new ledgers: each is given at most once in the life of the cluster (L13); ids may be skipped. */
public interface LedgerIdAllocator {
    /** A fresh id, 0 or more. */
    CompletableFuture<Long> next();
}
