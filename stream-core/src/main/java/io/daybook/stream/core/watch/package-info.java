// SPDX-License-Identifier: Apache-2.0
/** Watches over a namespace: which streams come and go. */
@NullMarked
package io.daybook.stream.core.watch;

import org.jspecify.annotations.NullMarked;
