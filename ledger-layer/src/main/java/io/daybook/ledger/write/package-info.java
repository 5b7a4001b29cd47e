// SPDX-License-Identifier: Apache-2.0
/** The machine that appends entries. */
@NullMarked
package io.daybook.ledger.write;

import org.jspecify.annotations.NullMarked;
