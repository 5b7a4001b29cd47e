// SPDX-License-Identifier: Apache-2.0
/** Who may wait, and who must not. */
@NullMarked
package io.daybook.runtime.waiting;

import org.jspecify.annotations.NullMarked;
