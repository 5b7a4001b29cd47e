// SPDX-License-Identifier: Apache-2.0
/** Makes the faults of a plan happen. */
@NullMarked
package io.daybook.simulation.faults;

import org.jspecify.annotations.NullMarked;
