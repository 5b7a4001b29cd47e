// SPDX-License-Identifier: Apache-2.0
/** What one simulated run does, as drawn from a seed or read from a file. */
@NullMarked
package io.daybook.simulation.plan;

import org.jspecify.annotations.NullMarked;
