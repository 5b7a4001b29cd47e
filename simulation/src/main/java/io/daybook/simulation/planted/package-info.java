// SPDX-License-Identifier: Apache-2.0
/** Known defects that a run must find. */
@NullMarked
package io.daybook.simulation.planted;

import org.jspecify.annotations.NullMarked;
