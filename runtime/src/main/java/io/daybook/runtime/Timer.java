// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime;

/** A task that an {@link EventLoop} will run later. */
@FunctionalInterface
public interface Timer {
    /** Prevents the task from running if it has not started; otherwise does nothing. On the loop only. */
    void cancel();
}
