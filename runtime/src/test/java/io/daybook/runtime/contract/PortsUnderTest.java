// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.contract;

import io.daybook.runtime.Endpoint;
import io.daybook.runtime.Host;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One implementation of the ports as the contract suites see it: two processes that reach each other, and a way to let time pass. */
public interface PortsUnderTest extends AutoCloseable {
    /** The process under test. */
    Host host();

    /** A second process; it may run on the same machine. */
    Host peer();

    /** An endpoint with port 0 at which {@link #peer} may listen and {@link #host} may connect. */
    Endpoint peerAnyPort();

    /** An endpoint of a live machine at which nobody listens. */
    Endpoint refusing();

    /** An endpoint that never answers an attempt to connect. */
    Endpoint silent();

    /** The root of a disk of {@link #host} that holds nothing yet. */
    String diskRoot();

    /** What the loops of both processes reported to their failure handler, oldest first. */
    List<Throwable> reportedFailures();

    /** Lets time pass until {@code condition} holds; throws {@link AssertionError} when it does not within a generous bound. */
    void runUntil(BooleanSupplier condition);

    /** Ends both processes. */
    @Override
    void close();
}
