// SPDX-License-Identifier: Apache-2.0
/** Who owns a stream: the lock that keeps polite writers apart. */
@NullMarked
package io.daybook.stream.core.owner;

import org.jspecify.annotations.NullMarked;
