// SPDX-License-Identifier: Apache-2.0
/** Plans, runs, replays and shrinks a simulated run. */
@NullMarked
package io.daybook.simulation;

import org.jspecify.annotations.NullMarked;
