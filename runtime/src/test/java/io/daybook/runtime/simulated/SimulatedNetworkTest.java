// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.contract.NetworkContract;
import io.daybook.runtime.contract.PortsUnderTest;

/** The simulated ports keep the promises of networks. */
final class SimulatedNetworkTest extends NetworkContract {
    @Override
    protected PortsUnderTest start() {
        return new SimulatedPorts();
    }
}
