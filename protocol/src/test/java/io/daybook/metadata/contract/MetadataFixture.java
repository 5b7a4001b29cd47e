// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.contract;

import io.daybook.metadata.MetadataStores;
import io.daybook.protocol.BookieId;
import java.util.function.BooleanSupplier;

/** An empty cluster's metadata for one test, as its implementation provides it. */
public interface MetadataFixture extends AutoCloseable {
    /** Further stores on the same metadata, as another process would have; the test closes them. */
    MetadataStores open();

    /** Returns when the condition holds; fails when it does not come to hold in good time. */
    void await(BooleanSupplier condition);

    /** Puts bytes where the value of the cluster is. */
    void plantCluster(byte[] value);

    /** Puts bytes where the value of a ledger is, whether there is one or not. */
    void plantLedger(long ledgerId, byte[] value);

    /** Puts bytes where the cookie of a bookie is. */
    void plantCookie(BookieId bookieId, byte[] value);

    /** Puts bytes where the head of an existing stream is. */
    void plantStream(String name, byte[] value);

    /** Puts bytes where an existing segment of an existing stream is. */
    void plantSegment(String name, long number, byte[] value);

    /** Puts bytes where a lock that is held is. */
    void plantLock(String name, byte[] value);

    @Override
    void close();
}
