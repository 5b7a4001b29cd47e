// SPDX-License-Identifier: Apache-2.0
/** Fault injection against real processes. */
@NullMarked
package io.daybook.simulation.torture;

import org.jspecify.annotations.NullMarked;
