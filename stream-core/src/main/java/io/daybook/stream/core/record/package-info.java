// SPDX-License-Identifier: Apache-2.0
/** Records and their batches in an entry. */
@NullMarked
package io.daybook.stream.core.record;

import org.jspecify.annotations.NullMarked;
