// SPDX-License-Identifier: Apache-2.0
/** A small model of the ledger protocol, checked exhaustively. */
@NullMarked
package io.daybook.simulation.model;

import org.jspecify.annotations.NullMarked;
