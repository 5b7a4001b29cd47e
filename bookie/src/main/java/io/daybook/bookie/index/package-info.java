// SPDX-License-Identifier: Apache-2.0
/** Where each entry lies. */
@NullMarked
package io.daybook.bookie.index;

import org.jspecify.annotations.NullMarked;
