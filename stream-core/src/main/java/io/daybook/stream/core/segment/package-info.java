// SPDX-License-Identifier: Apache-2.0
/** The chain of log segments of a stream. */
@NullMarked
package io.daybook.stream.core.segment;

import org.jspecify.annotations.NullMarked;
