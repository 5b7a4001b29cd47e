// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

/** The two directions of a link between an end that opened it and an end that accepted it. */
final class Connection {
    private final Flow toAcceptor;
    private final Flow toOpener;

    Connection(Flow toAcceptor, Flow toOpener) {
        this.toAcceptor = toAcceptor;
        this.toOpener = toOpener;
    }

    Flow from(SimulatedLink end) {
        return toAcceptor.sender() == end ? toAcceptor : toOpener;
    }

    Flow to(SimulatedLink end) {
        return toAcceptor.receiver() == end ? toAcceptor : toOpener;
    }

    /** Both ends learn of it from the network. */
    void reset(String reason) {
        toAcceptor.cut(reason, true);
        toOpener.cut(reason, true);
    }
}
