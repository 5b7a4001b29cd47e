// SPDX-License-Identifier: Apache-2.0
/** The machine that fences and closes a ledger. */
@NullMarked
package io.daybook.ledger.recovery;

import org.jspecify.annotations.NullMarked;
