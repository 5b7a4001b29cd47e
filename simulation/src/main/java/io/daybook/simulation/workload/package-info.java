// SPDX-License-Identifier: Apache-2.0
/** What clients do during a run. */
@NullMarked
package io.daybook.simulation.workload;

import org.jspecify.annotations.NullMarked;
