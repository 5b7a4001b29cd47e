// SPDX-License-Identifier: Apache-2.0
/** The machine that reads entries. */
@NullMarked
package io.daybook.ledger.read;

import org.jspecify.annotations.NullMarked;
