// SPDX-License-Identifier: Apache-2.0
/** Links to bookies and the requests under way on them. */
@NullMarked
package io.daybook.ledger.bookies;

import org.jspecify.annotations.NullMarked;
