// SPDX-License-Identifier: Apache-2.0
/** Follows real runs as steps of the model. */
@NullMarked
package io.daybook.simulation.model.monitor;

import org.jspecify.annotations.NullMarked;
