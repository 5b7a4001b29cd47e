// SPDX-License-Identifier: Apache-2.0
/** The program from outside: real clusters, most of them of real processes. */
@NullMarked
package io.daybook.endtoend;

import org.jspecify.annotations.NullMarked;
