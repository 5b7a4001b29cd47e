// SPDX-License-Identifier: Apache-2.0
/** Checks stored bytes slowly in the background. */
@NullMarked
package io.daybook.bookie.scrub;

import org.jspecify.annotations.NullMarked;
