// SPDX-License-Identifier: Apache-2.0
/** Assembles the client side of ledgers. */
@NullMarked
package io.daybook.ledger;

import org.jspecify.annotations.NullMarked;
