// SPDX-License-Identifier: Apache-2.0
/** What applications of ledgers see. */
@NullMarked
package io.daybook.ledger.api;

import org.jspecify.annotations.NullMarked;
