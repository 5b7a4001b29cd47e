// SPDX-License-Identifier: Apache-2.0
/** The simulated network: real bytes over links with latency, clogs, resets, half-open links and partitions. */
@NullMarked
package io.daybook.runtime.simulated.network;

import org.jspecify.annotations.NullMarked;
