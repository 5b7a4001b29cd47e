// SPDX-License-Identifier: Apache-2.0
/** Requests made on a schedule or by a window, and the latencies that came of it. */
@NullMarked
package io.daybook.benchmarks.load;

import org.jspecify.annotations.NullMarked;
