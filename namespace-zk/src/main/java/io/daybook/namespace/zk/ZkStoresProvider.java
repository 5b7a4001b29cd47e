// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk;

import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import io.daybook.namespace.zk.session.ZkAddress;
import io.daybook.namespace.zk.session.ZkSession;
import io.daybook.namespace.zk.session.ZkTimeouts;
import java.net.URI;

/** Opens {@code zk://host:port,host:port/path}. */
public final class ZkStoresProvider implements MetadataStoresProvider {
    /** For the service loader. */
    public ZkStoresProvider() {}

    @Override
    public boolean supports(String scheme) {
        return scheme.equals(ZkAddress.SCHEME);
    }

    @Override
    public MetadataStores open(URI uri, long timeoutMillis) {
        return new ZkMetadataStores(ZkSession.open(ZkAddress.parse(uri), ZkTimeouts.DEFAULT, timeoutMillis));
    }
}
