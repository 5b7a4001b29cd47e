// SPDX-License-Identifier: Apache-2.0
/** The daybook program. */
@NullMarked
package io.daybook.cli;

import org.jspecify.annotations.NullMarked;
