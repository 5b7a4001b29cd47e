// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.contract.EventLoopContract;
import io.daybook.runtime.contract.PortsUnderTest;

/** The simulated ports keep the promises of event loops. */
final class SimulatedEventLoopTest extends EventLoopContract {
    @Override
    protected PortsUnderTest start() {
        return new SimulatedPorts();
    }
}
