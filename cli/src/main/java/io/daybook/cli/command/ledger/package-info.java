// SPDX-License-Identifier: Apache-2.0
/** Commands on ledgers. */
@NullMarked
package io.daybook.cli.command.ledger;

import org.jspecify.annotations.NullMarked;
