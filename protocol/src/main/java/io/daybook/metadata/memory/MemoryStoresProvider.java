// SPDX-License-Identifier: Apache-2.0
package io.daybook.metadata.memory;

import io.daybook.metadata.MetadataStores;
import io.daybook.metadata.MetadataStoresProvider;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Opens {@code memory:name}: all who open the same name in one process share the same values, as long as the process lives. */
public final class MemoryStoresProvider implements MetadataStoresProvider {
    private static final String SCHEME = "memory";
    private static final Map<String, MemoryMetadata> BY_NAME = new ConcurrentHashMap<>();

    /** For the service loader. */
    public MemoryStoresProvider() {}

    @Override
    public boolean supports(String scheme) {
        return scheme.equals(SCHEME);
    }

    @Override
    public MetadataStores open(URI uri, long timeoutMillis) {
        String name = uri.getSchemeSpecificPart();
        if (!SCHEME.equals(uri.getScheme()) || !name.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException("'" + uri
                    + "' does not name a store in memory: use memory:name with letters, digits, '.', '_' or '-'");
        }
        return new MemoryMetadataStores(BY_NAME.computeIfAbsent(name, unused -> new MemoryMetadata()));
    }
}
