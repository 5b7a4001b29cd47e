// SPDX-License-Identifier: Apache-2.0
package io.daybook.runtime.system.loop;

import io.daybook.runtime.EventLoop;

/** What a host does about a task that threw: a bug in the task. Called on the loop that ran it, which goes on afterwards. */
@FunctionalInterface
public interface LoopFailureHandler {
    /** {@code failure} came out of a task, a timer or a link handler of {@code loop}. */
    void failed(EventLoop loop, Throwable failure);
}
