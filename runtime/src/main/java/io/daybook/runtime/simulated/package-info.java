// SPDX-License-Identifier: Apache-2.0
/** The ports under one seeded heap of events. */
@NullMarked
package io.daybook.runtime.simulated;

import org.jspecify.annotations.NullMarked;
