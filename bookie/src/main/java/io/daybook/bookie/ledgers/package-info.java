// SPDX-License-Identifier: Apache-2.0
/** The state of each ledger: fence, last add confirmed, limbo. */
@NullMarked
package io.daybook.bookie.ledgers;

import org.jspecify.annotations.NullMarked;
