// SPDX-License-Identifier: Apache-2.0
/** Judges histories: what of the calls of clients contradicts the promises. */
@NullMarked
package io.daybook.testkit.judge;

import org.jspecify.annotations.NullMarked;
