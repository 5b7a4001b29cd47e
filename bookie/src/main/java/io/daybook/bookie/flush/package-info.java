// SPDX-License-Identifier: Apache-2.0
/** Moves full slabs out of the journals into entry logs. */
@NullMarked
package io.daybook.bookie.flush;

import org.jspecify.annotations.NullMarked;
