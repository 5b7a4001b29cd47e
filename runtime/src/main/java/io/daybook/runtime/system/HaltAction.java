// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

/** How a host stops. The process ends by default; an embedded host must not end the process it lives in. */
@FunctionalInterface
public interface HaltAction {
    /** Stops at once; {@code reason} is one line for people. */
    void halt(int exitCode, String reason);
}
