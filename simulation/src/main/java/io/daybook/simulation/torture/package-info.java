// SPDX-License-Identifier: Apache-2.0
/** Faults made to real processes under load. */
@NullMarked
package io.daybook.simulation.torture;

import org.jspecify.annotations.NullMarked;
