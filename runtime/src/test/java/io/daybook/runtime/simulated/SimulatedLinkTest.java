// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.contract.LinkContract;
import io.daybook.runtime.contract.PortsUnderTest;

/** The simulated ports keep the promises of links. */
final class SimulatedLinkTest extends LinkContract {
    @Override
    protected PortsUnderTest start() {
        return new SimulatedPorts();
    }
}
