// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system;

/** Interrupts of the threads of applications, for layers that must not touch threads themselves. */
public final class Interrupts {
    private Interrupts() {}

    /** Marks the calling thread as interrupted again, after an {@link InterruptedException} was caught. */
    public static void keep() {
        Thread.currentThread().interrupt();
    }
}
