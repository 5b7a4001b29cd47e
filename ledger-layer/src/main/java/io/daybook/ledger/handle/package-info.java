// SPDX-License-Identifier: Apache-2.0
/** What every handle of a ledger stands on: its loop and links, the form of entries, metadata and its failures. */
@NullMarked
package io.daybook.ledger.handle;

import org.jspecify.annotations.NullMarked;
