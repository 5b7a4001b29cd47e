// SPDX-License-Identifier: Apache-2.0
/** The rows of the index in pages, of which those that were not used lately are kept in a file instead of memory. */
@NullMarked
package io.daybook.bookie.index.pages;

import org.jspecify.annotations.NullMarked;
