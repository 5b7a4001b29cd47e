// SPDX-License-Identifier: Apache-2.0
package io.daybook.benchmarks.machine;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory the threads of this process have taken from the heap since they began. */
public final class HeapUse {
    private HeapUse() {}

    /** In bytes, of the threads that are alive; 0 where the virtual machine does not tell. */
    public static long takenBytes() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()) {
            return 0;
        }
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            // A thread that ended meanwhile has -1.
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
