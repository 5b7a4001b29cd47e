// SPDX-License-Identifier: Apache-2.0
/** Where a record is: positions and their order. */
@NullMarked
package io.daybook.stream.core.position;

import org.jspecify.annotations.NullMarked;
