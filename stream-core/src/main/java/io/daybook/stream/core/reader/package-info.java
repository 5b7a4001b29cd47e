// SPDX-License-Identifier: Apache-2.0
/** The machine that reads records. */
@NullMarked
package io.daybook.stream.core.reader;

import org.jspecify.annotations.NullMarked;
