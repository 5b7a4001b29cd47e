// SPDX-License-Identifier: Apache-2.0
/** Checkers of invariants and histories. */
@NullMarked
package io.daybook.testkit.check;

import org.jspecify.annotations.NullMarked;
