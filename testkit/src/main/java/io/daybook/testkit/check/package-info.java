// SPDX-License-Identifier: Apache-2.0
/** Histories: the calls of clients and what came of them, and what was wrong. */
@NullMarked
package io.daybook.testkit.check;

import org.jspecify.annotations.NullMarked;
