// SPDX-License-Identifier: Apache-2.0
/** The metadata stores kept in the memory of one process. */
@NullMarked
package io.daybook.metadata.memory;

import org.jspecify.annotations.NullMarked;
