// SPDX-License-Identifier: Apache-2.0
/** Becoming the owner of what a stream is: its end is recovered first, then it gets a new writer or a new name. */
@NullMarked
package io.daybook.stream.core.takeover;

import org.jspecify.annotations.NullMarked;
