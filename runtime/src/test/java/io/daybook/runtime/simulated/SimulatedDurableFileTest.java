// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.contract.DurableFileContract;
import io.daybook.runtime.contract.PortsUnderTest;

/** The simulated ports keep the promises of files for journals. */
final class SimulatedDurableFileTest extends DurableFileContract {
    @Override
    protected PortsUnderTest start() {
        return new SimulatedPorts();
    }
}
