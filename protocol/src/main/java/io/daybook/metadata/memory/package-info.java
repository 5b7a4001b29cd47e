// SPDX-License-Identifier: Apache-2.0
/** Metadata stores in the memory of one process. */
@NullMarked
package io.daybook.metadata.memory;

import org.jspecify.annotations.NullMarked;
