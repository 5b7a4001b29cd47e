// SPDX-License-Identifier: Apache-2.0
/** Virtual time: the heap of events, the loops and processes that live on it, stateless chance and the trace of a run. */
@NullMarked
package io.daybook.runtime.simulated.events;

import org.jspecify.annotations.NullMarked;
