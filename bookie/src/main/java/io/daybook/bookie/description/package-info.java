// SPDX-License-Identifier: Apache-2.0
/** What a bookie tells of itself. */
@NullMarked
package io.daybook.bookie.description;

import org.jspecify.annotations.NullMarked;
