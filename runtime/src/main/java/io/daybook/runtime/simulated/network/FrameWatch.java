// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.simulated.network;

/** Sees every frame when it leaves its sender. */
@FunctionalInterface
public interface FrameWatch {
    /** A frame leaves one machine for another; {@code bytes} must not be changed. */
    void sent(String from, String to, byte[] bytes, long nanos);
}
