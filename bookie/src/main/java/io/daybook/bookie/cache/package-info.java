// SPDX-License-Identifier: Apache-2.0
/** Slabs: journal image, memtable and tail cache in one. */
@NullMarked
package io.daybook.bookie.cache;

import org.jspecify.annotations.NullMarked;
