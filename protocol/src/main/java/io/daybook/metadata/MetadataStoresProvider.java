// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata;

import java.net.URI;
import java.util.ServiceLoader;

/** Opens the metadata stores behind a URI; found by {@link ServiceLoader}. Schemes: {@code zk://host:port,host:port/path}, {@code memory:name}. */
public interface MetadataStoresProvider {
    /** Whether this provider opens that scheme. */
    boolean supports(String scheme);

    /**
     * Connects. Blocks until the store answers, at most {@code timeoutMillis}.
     *
     * @throws MetadataException with {@link MetadataException.Code#UNAVAILABLE} when nothing answers, naming the address
     * @throws IllegalArgumentException when the URI is not of the right form, saying what the right form is
     */
    MetadataStores open(URI uri, long timeoutMillis);

    /** Opens the stores behind {@code uri} with the provider that supports its scheme; throws as {@link #open} does. */
    static MetadataStores connect(URI uri, long timeoutMillis) {
        String scheme = uri.getScheme();
        if (scheme == null) {
            throw new IllegalArgumentException(
                    "'" + uri + "' is not a namespace URI: use zk://host:port/path or memory:name");
        }
        for (MetadataStoresProvider provider : ServiceLoader.load(MetadataStoresProvider.class)) {
            if (provider.supports(scheme)) {
                return provider.open(uri, timeoutMillis);
            }
        }
        throw new IllegalArgumentException(
                "no metadata store for '" + uri + "': use zk://host:port/path or memory:name");
    }
}
