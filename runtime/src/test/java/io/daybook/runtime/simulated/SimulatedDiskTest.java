// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated;

import io.daybook.runtime.contract.DiskContract;
import io.daybook.runtime.contract.PortsUnderTest;

/** The simulated ports keep the promises of disks. */
final class SimulatedDiskTest extends DiskContract {
    @Override
    protected PortsUnderTest start() {
        return new SimulatedPorts();
    }
}
