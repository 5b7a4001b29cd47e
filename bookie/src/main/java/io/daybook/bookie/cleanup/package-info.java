// SPDX-License-Identifier: Apache-2.0
/** Deletes and compacts what nobody needs. */
@NullMarked
package io.daybook.bookie.cleanup;

import org.jspecify.annotations.NullMarked;
