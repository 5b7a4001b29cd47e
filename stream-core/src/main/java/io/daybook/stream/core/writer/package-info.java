// SPDX-License-Identifier: Apache-2.0
/** The machine that appends records. */
@NullMarked
package io.daybook.stream.core.writer;

import org.jspecify.annotations.NullMarked;
