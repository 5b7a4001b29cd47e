// SPDX-License-Identifier: Apache-2.0
/** What a bookie does that may have lost something: it promises nothing about the ledgers that there were, until their copies are whole again. */
@NullMarked
package io.daybook.bookie.limbo;

import org.jspecify.annotations.NullMarked;
