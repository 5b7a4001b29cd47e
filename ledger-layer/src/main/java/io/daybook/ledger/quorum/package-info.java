// SPDX-License-Identifier: Apache-2.0
/** Arithmetic of ensembles and quorums. */
@NullMarked
package io.daybook.ledger.quorum;

import org.jspecify.annotations.NullMarked;
