// SPDX-License-Identifier: Apache-2.0
/** The choice of bookies for an ensemble. */
@NullMarked
package io.daybook.ledger.placement;

import org.jspecify.annotations.NullMarked;
