// SPDX-License-Identifier: Apache-2.0
package io.daybook.stream;

import java.net.URI;

/** Makes {@link Namespace} instances; found by {@link java.util.ServiceLoader}. Applications use {@link Namespace#open}. */
public interface NamespaceProvider {
    /**
     * As {@link Namespace#open}.
     *
     * @param uri of the namespace
     * @param digestKey the key of streams whose entries have an HMAC; empty for none
     * @return the namespace
     */
    Namespace open(URI uri, byte[] digestKey);
}
