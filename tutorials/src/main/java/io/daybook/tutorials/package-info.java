// SPDX-License-Identifier: Apache-2.0
/** Short programs that show how to use streams. */
@NullMarked
package io.daybook.tutorials;

import org.jspecify.annotations.NullMarked;
