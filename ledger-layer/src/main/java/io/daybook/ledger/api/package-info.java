// SPDX-License-Identifier: Apache-2.0
/** What users of ledgers see. */
@NullMarked
package io.daybook.ledger.api;

import org.jspecify.annotations.NullMarked;
