// SPDX-License-Identifier: Apache-2.0
/** Files that hold entries sorted by ledger. */
@NullMarked
package io.daybook.bookie.entrylog;

import org.jspecify.annotations.NullMarked;
