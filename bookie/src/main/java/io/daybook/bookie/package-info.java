// SPDX-License-Identifier: Apache-2.0
/** Assembles the storage server. */
@NullMarked
package io.daybook.bookie;

import org.jspecify.annotations.NullMarked;
