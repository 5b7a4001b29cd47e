// SPDX-License-Identifier: Apache-2.0
/** Up to which position every store is durable. */
@NullMarked
package io.daybook.bookie.checkpoint;

import org.jspecify.annotations.NullMarked;
