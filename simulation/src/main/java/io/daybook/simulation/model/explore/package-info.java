// SPDX-License-Identifier: Apache-2.0
/** Goes through a model: every state of it, or at random. */
@NullMarked
package io.daybook.simulation.model.explore;

import org.jspecify.annotations.NullMarked;
