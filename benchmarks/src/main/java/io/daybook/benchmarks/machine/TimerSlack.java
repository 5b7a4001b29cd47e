// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How late the kernel may end a thread's timed waits: 50 microseconds unless it is told otherwise, as much as a tenth of an append. */
public final class TimerSlack {
    private TimerSlack() {}

    /** Lets the timed waits of the calling thread end as exactly as the kernel can; false where it cannot be told. */
    public static boolean makeSmall() {
        try {
            // thread-self leads to PROCESS/task/THREAD, but the file is only there under the thread's own number.
            Path thread = Path.of("/proc/thread-self").toRealPath().getFileName();
            Files.writeString(Path.of("/proc").resolve(thread).resolve("timerslack_ns"), "1");
            return true;
        } catch (IOException notLinux) {
            return false;
        }
    }
}
