// SPDX-License-Identifier: Apache-2.0
/** Finds and restores missing copies. */
@NullMarked
package io.daybook.ledger.repair;

import org.jspecify.annotations.NullMarked;
