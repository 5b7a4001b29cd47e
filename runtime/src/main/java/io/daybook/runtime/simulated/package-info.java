// SPDX-License-Identifier: Apache-2.0
/** A world of machines that runs every process under one seeded heap of events. */
@NullMarked
package io.daybook.runtime.simulated;

import org.jspecify.annotations.NullMarked;
