// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import io.daybook.metadata.MetadataException;
import io.daybook.metadata.MetadataStores;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the contract suites of all stores share: a fixture per test, two users of the same metadata, and looking at outcomes. */
public abstract class StoreContract {
    private static final long DEADLINE_SECONDS = 60;

    private final List<MetadataStores> opened = new ArrayList<>();

    /** The metadata of this test. */
    protected MetadataFixture fixture;

    /** The stores of this process. */
    protected MetadataStores mine;

    /** The stores of another process on the same metadata. */
    protected MetadataStores others;

    /** Makes metadata without anything in it. */
    protected abstract MetadataFixture newFixture() throws Exception;

    @BeforeEach
    final void openBoth() throws Exception {
        fixture = newFixture();
        mine = open();
        others = open();
    }

    @AfterEach
    final void closeAll() {
        opened.forEach(MetadataStores::close);
        fixture.close();
    }

    /** Further stores, closed after the test. */
    protected final MetadataStores open() {
        MetadataStores stores = fixture.open();
        opened.add(stores);
        return stores;
    }

    /** The result, which must come. */
    protected static <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof MetadataException refused) {
                throw refused;
            }
            throw new AssertionError("failed with something else than MetadataException", failed.getCause());
        } catch (InterruptedException | TimeoutException late) {
            throw new AssertionError("no outcome", late);
        }
    }

    /** The code of the refusal, which must come. */
    protected static MetadataException.Code refusal(CompletableFuture<?> future) {
        // Not wrapped, for those who look at the failure with handle or whenComplete.
        CompletableFuture<Boolean> isBare = future.handle((value, failure) -> failure instanceof MetadataException);
        try {
            Object result = get(future);
            throw new AssertionError("succeeded with " + result);
        } catch (MetadataException refused) {
            if (refused.getMessage() == null || refused.getMessage().lines().count() != 1) {
                throw new AssertionError("not one line: " + refused.getMessage(), refused);
            }
            if (!get(isBare)) {
                throw new AssertionError("the failure is wrapped", refused);
            }
            return refused.code();
        }
    }
}
