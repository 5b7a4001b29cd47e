// SPDX-License-Identifier: Apache-2.0
/** {@code daybook simulate}. */
@NullMarked
package io.daybook.cli.command.simulate;

import org.jspecify.annotations.NullMarked;
