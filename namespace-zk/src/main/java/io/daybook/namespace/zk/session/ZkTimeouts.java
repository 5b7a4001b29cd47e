// SPDX-License-Identifier: Apache-2.0
package io.daybook.namespace.zk.session;

/**
 * How long things may take.
 *
 * @param sessionMillis after this without contact ZooKeeper ends a session, and with it its registrations
 * @param connectMillis to reach a server
 * @param callMillis for one call of a store, with everything it repeats
 */
public record ZkTimeouts(int sessionMillis, int connectMillis, int callMillis) {
    /** A call outlives the change of the server that a session talks to. */
    public static final ZkTimeouts DEFAULT = new ZkTimeouts(10_000, 5_000, 20_000);
}
